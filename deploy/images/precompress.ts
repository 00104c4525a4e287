/** `precompress.ts <folder>`: puts a `.br` and a `.gz` beside each file that the gateway would compress. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFolder } from '../../gateway/panel/folder.ts';

const [folder = ''] = process.argv.slice(2);
const endings = { br: '.br', gzip: '.gz' } as const;

for (const [path, file] of await readFolder(folder))
  for (const encoding of ['br', 'gzip'] as const) {
    const content = await file.compressed(encoding);
    if (content && content.length < file.content.length)
      writeFileSync(join(folder, `${path}${endings[encoding]}`), content);
  }
