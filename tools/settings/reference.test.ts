import { join } from 'node:path';
import { root } from '@talpa/instance/paths';
import { expect, it } from 'vitest';
import { settingsReference } from './reference.ts';

it('describes every setting as it is', async () => {
  await expect(settingsReference()).toMatchFileSnapshot(join(root, 'docs/settings.md'));
});
