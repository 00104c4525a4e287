import { statfs } from 'node:fs/promises';
import type { Lifecycle } from './process/lifecycle.ts';
import type { Settings } from './settings.ts';
import { gauge, readOnScrape } from './telemetry/metrics.ts';

export const diskSettings = ['DISK_FOLDERS', 'DISK_RESERVE'] as const;
type DiskSettings = Settings<(typeof diskSettings)[number]>;

/** How much room there is for what the stores keep. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly reserveBytes: number;
  /** Creates are refused until there is room again. */
  readonly isShort: boolean;
}

const lookEveryMs = 2_000;
/** Short until there is so much more than the reserve: otherwise one log file would allow and refuse creates in turn. */
const roomAgain = 1.1;

const free = gauge('talpa_disk_free_bytes', 'Free space where the stores keep their data', ['folder']);
const reserve = gauge('talpa_disk_reserve_bytes', 'Below so much free space creates are refused');

/** Free bytes below a folder, for anybody but root; null when it is unknown. */
export async function freeBytesOf(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/**
 * Looks at the free space every two seconds.
 * @param onChange called when it becomes short, and when there is room again
 */
export function watchSpace(
  { DISK_FOLDERS, DISK_RESERVE }: DiskSettings,
  onChange: (space: DiskSpace) => void,
): { space(): DiskSpace | null; stop(): void } {
  const folders = DISK_FOLDERS?.split(',') ?? [];
  let space: DiskSpace | null = null;
  const look = async (): Promise<void> => {
    const found = await Promise.all(folders.map(freeBytesOf));
    const known = found.filter((bytes) => bytes !== null);
    if (known.length === 0) return;
    const freeBytes = Math.min(...known);
    const wasShort = space?.isShort ?? false;
    const isShort = freeBytes < DISK_RESERVE * (wasShort ? roomAgain : 1);
    space = { freeBytes, reserveBytes: DISK_RESERVE, isShort };
    if (isShort !== wasShort) onChange(space);
  };
  void look();
  const timer = setInterval(() => void look(), lookEveryMs).unref();
  return { space: () => space, stop: () => clearInterval(timer) };
}

/** Watches the space in a process: metrics, and a line in its log when it becomes short. */
export function watchDisk(settings: DiskSettings, lifecycle: Lifecycle): () => DiskSpace | null {
  const watch = watchSpace(settings, (space) => {
    if (space.isShort)
      lifecycle.log.error(
        { space },
        'disk space below DISK_RESERVE: creates are refused until there is room',
      );
    else lifecycle.log.info({ space }, 'disk space above DISK_RESERVE: creates are allowed again');
  });
  readOnScrape('disk', [free, reserve], async () => {
    for (const folder of settings.DISK_FOLDERS?.split(',') ?? []) {
      const bytes = await freeBytesOf(folder);
      if (bytes !== null) free.set({ folder }, bytes);
    }
    reserve.set(settings.DISK_RESERVE);
  });
  lifecycle.onStop('disk', watch.stop);
  return watch.space;
}
