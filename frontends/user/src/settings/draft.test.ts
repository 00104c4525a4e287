import type { Preferences } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { conflictsOf, rebase, takeTheirs } from './draft.ts';

const before: Preferences = {
  email: 'alt@example.org',
  notifications: { email: false, system: true, maintenance: true },
  appearance: { theme: 'dark', accentColor: 'purple' },
};

it('what is being edited survives what is saved elsewhere, field by field, and the rest follows', () => {
  const edited = {
    ...before,
    email: 'getippt@example.org',
    notifications: { ...before.notifications, maintenance: false },
  };
  const saved: Preferences = {
    ...before,
    notifications: { ...before.notifications, email: true },
    appearance: { theme: 'light', accentColor: 'blue' },
  };
  const draft = rebase({ base: before, edited }, saved);
  expect(draft.edited).toEqual({
    email: 'getippt@example.org',
    notifications: { email: true, system: true, maintenance: false },
    appearance: saved.appearance,
  });
  expect(conflictsOf(draft, saved)).toEqual([]);
  expect(rebase(draft, saved)).toEqual(draft);
});

it('a field edited here and saved with another value elsewhere waits for a choice', () => {
  const edited = {
    ...before,
    email: 'hier@example.org',
    appearance: { ...before.appearance, theme: 'light' },
  };
  const saved = { ...before, email: 'dort@example.org' };
  const draft = rebase({ base: before, edited: edited as Preferences }, saved);
  expect(draft.edited.email).toBe('hier@example.org');
  expect(conflictsOf(draft, saved)).toEqual([
    { name: 'email', from: 'alt@example.org', to: 'dort@example.org' },
  ]);
  const theirs = takeTheirs(draft, saved);
  expect(theirs).toEqual({ base: saved, edited: { ...edited, email: 'dort@example.org' } });
  expect(conflictsOf(theirs, saved)).toEqual([]);
  expect(conflictsOf({ base: saved, edited: draft.edited }, saved)).toEqual([]);
});

it('the same value saved elsewhere is no conflict', () => {
  const saved = { ...before, email: 'gleich@example.org' };
  const draft = rebase({ base: before, edited: saved }, saved);
  expect(draft).toEqual({ base: saved, edited: saved });
});
