import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { knownSettings } from '@talpa/service-kit/settings';
import { expect, it } from 'vitest';
import { settingsReference } from './reference.ts';

it('describes every setting as it is', async () => {
  await expect(settingsReference()).toMatchFileSnapshot(join(root, 'docs/settings.md'));
});

it('leaves out no setting, and has none twice', () => {
  const named = [...settingsReference().matchAll(/^- .*?: /gm)].flatMap(([line]) => {
    return [...line.matchAll(/`([A-Z][A-Z\d_]+)/g)].map(([, name]) => name);
  });
  const ofProcesses = named.filter((name) => !name?.startsWith('TALPA_'));
  expect(ofProcesses.toSorted()).toEqual(Object.keys(knownSettings).toSorted());
});
