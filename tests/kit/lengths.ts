/** Whether `npm run test:long` runs: everything at full length. */
export const isLong = process.env.TALPA_TEST_LONG === '1';

/**
 * What ends a hang, and judges no speed: a machine with work for many more processors keeps a process waiting for 15 s at a
 * time. `npm run mutate` sets it: what is broken on purpose never comes.
 */
export const patienceMs = Number(process.env.TALPA_TEST_PATIENCE_MS ?? 90_000);

/** How long what is random or repeated runs in `npm test`, and in `npm run test:long`. A variable of the name sets another length. */
const lengths = {
  TALPA_DIFFERENTIAL_EXCHANGES: [600, 50_000],
  TALPA_FUZZ_REQUESTS: [8_000, 200_000],
  /** Generated targets of requests that rules about paths judge. */
  TALPA_TARGETS: [400, 20_000],
  /** Steps of a walk, and for how many seconds new ones begin. */
  TALPA_WALK_STEPS: [40, 100],
  TALPA_WALK_SECONDS: [0, 900],
  /** Steps with servers of several proxies, for each provider. */
  TALPA_SERVERS_STEPS: [80, 4_000],
  /** Seconds of faults; without any each is made once. */
  TALPA_FAULTS_SECONDS: [0, 900],
  /** Writes a second of the slow disk; without any it is left out. */
  TALPA_SLOW_DISK: [0, 40],
  /** Rows of the longer of two lists that are compared. */
  TALPA_LIST_ROWS: [60_000, 300_000],
} as const satisfies Record<string, readonly [short: number, long: number]>;

/** How long something runs. */
export function lengthOf(name: keyof typeof lengths): number {
  const [short, long] = lengths[name];
  return Number(process.env[name] ?? (isLong ? long : short));
}

/**
 * The seed of what is random: the variable's, `random` there stands for any, or else the given one; any in the long run, or
 * where none is given. The test prints it.
 */
export function seedOf(name: `TALPA_${string}_SEED`, usual?: number): number {
  const wanted = process.env[name] ?? (isLong ? 'random' : (usual ?? 'random'));
  return wanted === 'random' ? Date.now() % 1_000_000 : Number(wanted);
}
