import type { ServiceName } from '@talpa/contracts';

/** The processes that use Redis, by their Redis users. The embedded provider and the operator need none. */
export type RedisUser = ServiceName | 'gateway';

interface Rights {
  /** Key patterns, as Redis's access control lists write them: `~` read and write, `%W~` write alone. */
  readonly keys: readonly string[];
  readonly commands: readonly string[];
}

/** A service deletes cache versions, and can neither read nor make one. */
const invalidates: Rights = { keys: ['%W~cache-version:*'], commands: ['del'] };

/** What each process may do in Redis: the commands and keys it uses. */
const rights: Readonly<Record<RedisUser, Rights>> = {
  gateway: {
    keys: ['~cache-version:*', '~limit:*', '~known:*'],
    commands: [
      ...['mget', 'get', 'set', 'exists', 'incr', 'incrby', 'pttl', 'pexpire', 'multi', 'exec'],
      ...['time', 'zadd', 'zrem', 'zremrangebyscore', 'zcard', 'eval', 'evalsha'],
    ],
  },
  auth: invalidates,
  billing: invalidates,
  proxies: invalidates,
  stats: invalidates,
  notifications: invalidates,
  'tunnel-worker': {
    keys: ['~budget:*'],
    commands: [
      ...['time', 'zadd', 'zremrangebyscore', 'zcard', 'pttl', 'set', 'pexpire'],
      ...['hgetall', 'hdel', 'hincrby', 'watch', 'unwatch', 'multi', 'exec'],
    ],
  },
};

/** A key that every process deletes, though it never exists, to see whether Redis takes writes. */
export const readinessKey = 'readiness';

export const redisUserNames = Object.keys(rights) as readonly RedisUser[];

/** A user's rights, as a rule of an access control list (redis.io/docs/latest/operate/oss_and_stack/management/security/acl). */
export function redisRule(user: RedisUser): string {
  const { keys, commands } = rights[user];
  const allowed = new Set(['ping', 'del', ...commands]);
  return [
    'resetchannels',
    ...keys,
    `%W~${readinessKey}`,
    '-@all',
    ...[...allowed].map((command) => `+${command}`),
  ].join(' ');
}
