import type { Routes, Verb } from '@talpa/contracts';
import type { AuthContext } from '../app.ts';
import { allUsers, publicUser } from './sql.ts';

/** All users, oldest first. */
export const listUsers: Verb<Routes['GET /api/admin/users'], AuthContext> = async ({ sql }) =>
  (await allUsers(sql)).map(publicUser);
