import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../launcher/paths.ts';
import { settingsReference } from './reference.ts';

it('describes every setting as it is', async () => {
  await expect(settingsReference()).toMatchFileSnapshot(join(root, 'docs/settings.md'));
});
