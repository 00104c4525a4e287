import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../context.ts';
import { passkeysOf, publicPasskey } from './sql.ts';

/** The caller's passkeys. */
export const listPasskeys: Verb<Routes['GET /api/user/passkeys'], AuthContext> = async ({
  sql,
  actor,
  passkeyHost,
}) => (await passkeysOf(sql, actor.userId)).map((row) => publicPasskey(row, passkeyHost));
