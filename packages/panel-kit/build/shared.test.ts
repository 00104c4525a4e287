import { expect, it } from 'vitest';
import { sharedBy } from './shared.ts';

it('shares the same modules in the same versions everywhere, and lets the shell alone provide them', () => {
  const shell = sharedBy('shell');
  const remote = sharedBy('remote');
  expect(Object.keys(remote)).toEqual(Object.keys(shell));
  for (const [name, share] of Object.entries(remote)) {
    expect(share, name).toMatchObject({ singleton: true, version: shell[name]?.version, import: false });
    expect(shell[name], name).not.toHaveProperty('import');
  }
});
