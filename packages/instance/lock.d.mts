/** See lock.mjs: plain JavaScript, because the bootstrap runs before there is a Node for TypeScript. */
export function holdLock(file: string, onWait?: () => void): Promise<() => void>;
export function tryLock(file: string): (() => void) | null;
