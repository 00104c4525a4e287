import { afterEach, vi } from 'vitest';

/** Unit tests share their worker's globals: a clock that a failed test has stopped must not stand still in the next. */
afterEach(() => void vi.useRealTimers());
