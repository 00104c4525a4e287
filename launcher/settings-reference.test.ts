import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './paths.ts';
import { settingsReference } from './settings-reference.ts';

it('tells operators of every setting as it is', async () => {
  await expect(settingsReference()).toMatchFileSnapshot(join(root, 'docs/settings.md'));
});
