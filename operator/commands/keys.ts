import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '@talpa/instance/cli';
import { talpaCall } from '@talpa/instance/command-names';
import { handOutAgain } from '@talpa/instance/containers';
import { counted } from '@talpa/instance/counted';
import { bornAt, type KeyEntry, makeKey, publicRing, readRing, writeRing } from '@talpa/instance/keys';
import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { command, type Invocation } from './command.ts';

/** For so long after a rotation a process may still be ending work it began with the key before. */
const lastUseMs = 60_000;

/** The rings an operator may turn: where each lies, and which of its keys something still needs. */
const rings = {
  sessions: {
    setting: 'SESSION_KEYS',
    what: 'session',
    pathIn: (secrets: { sessionKeys: string }) => secrets.sessionKeys,
    /** All sessions of an older key began before the next key was made. */
    inUse: async (sql: Sql, _key: KeyEntry, next: KeyEntry) => {
      const retired = bornAt(next);
      const [row] = await sql<{ count: number }[]>`
        select count(*) from auth.sessions where ${retired}::timestamptz is null
          or created_at < ${retired}::timestamptz + ${`${lastUseMs} ms`}::interval`;
      return row?.count ?? 0;
    },
  },
  tokens: {
    setting: 'TOKEN_KEYS',
    what: 'tunnel',
    pathIn: (secrets: { tokenKeys: string }) => secrets.tokenKeys,
    inUse: (sql: Sql, key: KeyEntry) => countSealed(sql, 'tokens', key),
  },
  factors: {
    setting: 'FACTOR_KEYS',
    what: 'authenticator app',
    pathIn: (secrets: { factorKeys: string }) => secrets.factorKeys,
    inUse: (sql: Sql, key: KeyEntry) => countSealed(sql, 'factors', key),
  },
  channels: {
    setting: 'CHANNEL_KEYS',
    what: 'notification channel',
    pathIn: (secrets: { channelKeys: string }) => secrets.channelKeys,
    inUse: (sql: Sql, key: KeyEntry) => countSealed(sql, 'channels', key),
  },
  certificates: {
    setting: 'CERTIFICATE_KEYS',
    what: 'certificate',
    pathIn: (secrets: { certificateKeys: string }) => secrets.certificateKeys,
    inUse: (sql: Sql, key: KeyEntry) => countSealed(sql, 'certificates', key),
  },
} as const;
type RingName = keyof typeof rings;

/** Shows the keys' names, never the keys. */
export const keysList = command({
  usage: 'keys list',
  summary:
    'list the names of the keys that sign sessions and encrypt tunnel tokens, authenticator apps, notification channels, and certificates',
  run: async ({ instance, log }) => {
    for (const name of Object.keys(rings) as RingName[]) {
      const { keys } = ringOf(name, instance);
      log(`${name}: ${keys.map(({ id }, at) => (at === 0 ? `${id} (in use)` : id)).join(', ')}`);
    }
  },
});

/** Puts a new key first. Nobody is signed out: what older keys have signed or encrypted goes on counting. */
export const keysRotate = command({
  usage: 'keys rotate <sessions|tokens|factors|channels|certificates>',
  summary:
    'start using a new key to sign sessions, or to encrypt tunnel tokens, authenticator apps, notification channels, or certificates',
  run: async ({ words, instance, log }) => {
    const name = ringName(words[0]);
    const { path, keys } = ringOf(name, instance);
    const key = makeKey();
    replaceRing(name, instance, path, [key, ...keys]);
    log(`${name}: ${key.id} is now in use. Older keys still accepted: ${keys.length}.`);
    if (name !== 'sessions') await untilResealed(sealed[name], instance, key, log);
    log(
      `Back up ${path}. To delete older keys once they are no longer needed: ${talpaCall} keys forget ${name}`,
    );
  },
});

/** Removes the keys that nothing needs any more. */
export const keysForget = command({
  usage: 'keys forget <sessions|tokens|factors|channels|certificates>',
  summary: 'delete older keys that are no longer needed',
  run: async ({ words, instance, log }) => {
    const name = ringName(words[0]);
    const { path, keys } = ringOf(name, instance);
    const sql = openDatabase(instance.databaseUrl(), 1);
    try {
      const [current, ...older] = keys;
      if (!current || older.length === 0) return log('There are no older keys.');
      const needed: KeyEntry[] = [];
      for (const [at, key] of older.entries()) {
        const reason = await whyNeeded(sql, name, key, keys[at] as KeyEntry);
        if (reason) needed.push(key);
        log(reason ? `${key.id} is kept: ${reason}.` : `${key.id} has been deleted.`);
      }
      replaceRing(name, instance, path, [current, ...needed]);
    } finally {
      await sql.end({ timeout: 5 });
    }
  },
});

/** Replaces a ring. Verifiers know a key before anything is signed with it. */
function replaceRing(
  name: RingName,
  { secrets }: Invocation['instance'],
  path: string,
  keys: readonly KeyEntry[],
) {
  if (name === 'sessions') {
    const { sessionPublicKeys } = secrets();
    writeRing(sessionPublicKeys, publicRing(keys));
    handOutAgain('SESSION_PUBLIC_KEYS', sessionPublicKeys);
  }
  writeRing(path, keys);
  handOutAgain(rings[name].setting, path);
}

async function whyNeeded(sql: Sql, name: RingName, key: KeyEntry, next: KeyEntry): Promise<string | null> {
  const retired = bornAt(next)?.getTime() ?? 0;
  if (Date.now() - retired < lastUseMs) return 'it was in use a moment ago';
  const count = await rings[name].inUse(sql, key, next);
  return count > 0 ? `it is still needed by ${counted(count, rings[name].what)}` : null;
}

function ringName(word: string | undefined): RingName {
  if (word !== undefined && Object.hasOwn(rings, word)) return word as RingName;
  throw new CliError(
    `There are no keys for “${word}”. Choose “sessions”, “tokens”, “factors”, “channels”, or “certificates”.`,
  );
}

function ringOf(name: RingName, { secrets }: Invocation['instance']): { path: string; keys: KeyEntry[] } {
  const { setting, pathIn } = rings[name];
  const given = process.env[setting];
  if (given && !given.startsWith('/'))
    throw new CliError(
      `${setting} holds the keys themselves. Put them in a file and set ${setting} to its path, so that this command can replace it.`,
    );
  const path = given || pathIn(secrets());
  return { path, keys: readRing(path) };
}

const patienceMs = 30_000;

/** What is encrypted with a ring, and where. */
export const sealed = {
  tokens: { tables: ['tunnel_provider.tunnels', 'tunnel_provider.acme_accounts'], what: 'tunnel tokens' },
  factors: { tables: ['auth.authenticators', 'auth.pending_authenticators'], what: 'authenticator apps' },
  channels: { tables: ['notifications.channels'], what: 'notification channels' },
  certificates: { tables: ['tunnel_provider.certificates'], what: 'certificates' },
} as const;

/** How many secrets a key encrypts. */
async function countSealed(sql: Sql, ring: keyof typeof sealed, { id }: KeyEntry): Promise<number> {
  let sum = 0;
  for (const table of sealed[ring].tables) {
    const [row] = await sql<{ count: number }[]>`select count(*) from ${sql(table)} where key_id = ${id}`;
    sum += row?.count ?? 0;
  }
  return sum;
}

/** Waits until the running process has encrypted every secret with the new key. */
async function untilResealed(
  { tables, what }: (typeof sealed)[keyof typeof sealed],
  instance: Invocation['instance'],
  key: KeyEntry,
  log: Invocation['log'],
) {
  if (!instance.isRunning() && !process.env.DATABASE_URL)
    return log(`All ${what} will be re-encrypted at the next start.`);
  const sql = openDatabase(instance.databaseUrl(), 1);
  try {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(200)) {
      let left = 0;
      for (const table of tables) {
        const [row] = await sql<
          { count: number }[]
        >`select count(*) from ${sql(table)} where key_id <> ${key.id}`;
        left += row?.count ?? 0;
      }
      if (left === 0) return log(`All ${what} are now encrypted with it.`);
    }
    log(`Not all ${what} are re-encrypted yet. This continues in the background.`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
