import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk of its own in a file, which can be made as slow as a broken one. */
export interface SlowDisk {
  /** How many writes a second it does from now on; null: as many as it can. */
  limit(writesPerSecond: number | null): void;
  remove(): void;
}

/** Linux's throttle of block devices, for what all processes write together (cgroup v1). */
const throttle = '/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device';

const run = (...command: string[]) =>
  spawnSync(command[0] ?? '', command.slice(1), { stdio: 'ignore' }).status === 0;

/** Mounts such a disk on a folder; null where that cannot be done: not root, no loop device, no such throttle. */
export function mountSlowDisk(folder: string, bytes: number): SlowDisk | null {
  if (!existsSync(throttle)) return null;
  const image = join(mkdtempSync(join(tmpdir(), 'talpa-disk-')), 'image');
  writeFileSync(image, '');
  truncateSync(image, bytes);
  const unmount = () => run('umount', '-l', folder);
  const removeImage = () => rmSync(join(image, '..'), { recursive: true, force: true });
  if (!run('mkfs.ext4', '-q', '-F', image) || !run('mount', '-o', 'loop', image, folder)) {
    removeImage();
    return null;
  }
  const { dev } = statSync(folder);
  const device = `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
  const limit = (writesPerSecond: number | null) =>
    writeFileSync(throttle, `${device} ${writesPerSecond ?? 0}`);
  const disk: SlowDisk = {
    limit,
    remove: () => {
      limit(null);
      unmount();
      removeImage();
    },
  };
  try {
    limit(null);
    return disk;
  } catch {
    unmount();
    removeImage();
    return null;
  }
}
