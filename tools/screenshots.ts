import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '@talpa/instance/cli';
import { counted } from '@talpa/instance/counted';
import { root } from '@talpa/instance/paths';
import { ensurePrograms } from '@talpa/instance/system-packages';
import { launchBrowser } from '@talpa/test-kit/browser';
import { Client } from '@talpa/test-kit/client';
import { ensureBrowser } from '@talpa/test-kit/find-browser';
import { peopleSettings, settlePeople } from '@talpa/test-kit/panel/people';
import { adminPassword, startTestTalpa } from '@talpa/test-kit/system';
import { takePictures, takeReadmePictures } from '../tests/browser/screens/pictures.ts';
import { clearTestFolder, makeTestFolder } from './test/test-folder.ts';

/**
 * `npm run screenshots [-- settings dark 390]`: pictures of every screen, from an instance of its own;
 * `-- --readme` renews those of the README instead.
 */
await runCommand(async () => {
  const began = Date.now();
  const wanted = process.argv.slice(2);
  const isForReadme = wanted.includes('--readme');
  const folder = join(root, isForReadme ? 'docs/images' : 'screenshots');
  const log = (line: string) => console.log(`… ${line}`);
  await ensurePrograms(['postgres', 'nats-server', 'redis-server'], log);
  await ensureBrowser(log);
  if (!isForReadme) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const home = makeTestFolder();
  let failed: readonly string[] = [];
  try {
    log('starting an instance with sample users');
    const talpa = await startTestTalpa(home, peopleSettings);
    const browser = await launchBrowser();
    try {
      const admin = new Client(talpa.url);
      await admin.call('POST /api/login', { username: 'admin', password: adminPassword });
      const world = await settlePeople(talpa, admin);
      const shared = { browser, base: talpa.url, world, folder };
      const pictures = isForReadme
        ? await takeReadmePictures(shared)
        : await takePictures({ ...shared, wanted, log });
      ({ failed } = pictures);
      await world.stop();
      const seconds = Math.round((Date.now() - began) / 1_000);
      console.log(`${counted(pictures.taken, 'picture')} in ${seconds} s: ${folder}`);
    } finally {
      await browser.close();
      await talpa.stop();
    }
  } finally {
    await clearTestFolder(home);
  }
  for (const line of failed) console.error(`✗ ${line}`);
  process.exit(failed.length > 0 ? 1 : 0);
});
