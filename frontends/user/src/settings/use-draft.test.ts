import type { Preferences } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { afterRefetch } from './use-draft.ts';

it('what is being edited survives a refetch, what is not follows it', () => {
  const before: Preferences = {
    email: 'alt@example.org',
    notifications: { email: false, system: true, maintenance: true },
    appearance: { theme: 'dark', accentColor: 'purple' },
  };
  const draft: Preferences = { ...before, email: 'getippt@example.org' };
  const saved: Preferences = {
    ...before,
    email: 'neu@example.org',
    appearance: { theme: 'light', accentColor: 'blue' },
  };
  expect(afterRefetch(draft, before, saved)).toEqual({ ...saved, email: 'getippt@example.org' });
});
