import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const ours = '# Put here by Talpa while it installs packages.';
/** Where what lay in a file's place waits meanwhile. */
const keptPath = (path: string) => `${path}.before-talpa`;

/**
 * While `work` runs, Debian's packages start no service and make no database cluster of their own.
 * @param base the root of the file system; another one in tests.
 */
export async function withoutServices(work: () => Promise<void>, base = ''): Promise<void> {
  const files = [
    { path: `${base}/usr/sbin/policy-rc.d`, text: `#!/bin/sh\n${ours}\nexit 101\n`, mode: 0o755 },
    {
      path: `${base}/etc/postgresql-common/createcluster.d/talpa.conf`,
      text: `${ours}\ncreate_main_cluster = false\n`,
      mode: 0o644,
    },
  ];
  const undos: (() => void)[] = [];
  try {
    for (const { path, text, mode } of files) undos.push(replaceFile(path, text, mode));
    await work();
  } finally {
    for (const undo of undos) undo();
  }
}

/** Puts a file in another's place; the returned function brings back what was there before. */
function replaceFile(path: string, text: string, mode: number): () => void {
  const kept = keptPath(path);
  // Killed in the middle, an earlier run could not tidy up.
  if (existsSync(path) && readFileSync(path, 'utf8').includes(ours)) rmSync(path);
  if (existsSync(kept)) renameSync(kept, path);
  const firstMade = mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path)) renameSync(path, kept);
  writeFileSync(path, text, { mode });
  return () => {
    rmSync(path, { force: true });
    if (existsSync(kept)) renameSync(kept, path);
    else if (firstMade) removeEmpty(dirname(path), firstMade);
  };
}

/** Removes the folders from `folder` up to `top` that hold nothing. */
function removeEmpty(folder: string, top: string): void {
  try {
    rmdirSync(folder);
  } catch {
    return;
  }
  if (folder !== top) removeEmpty(dirname(folder), top);
}
