import { countryOf } from '@talpa/access/country';
import { createJudge } from '@talpa/access/judge';
import type { Routes, Verb } from '@talpa/contracts';
import type { ProxiesContext } from '../context.ts';
import { findProxy } from '../proxy/find.ts';
import { readPolicy } from './row.ts';

/** What a proxy's policy would say of a visitor, by the function that the edge uses. */
export const judgeVisitor: Verb<
  Routes['GET /api/tunnel-configs/:id/access/verdict'],
  ProxiesContext
> = async (context, { id, address, path }) => {
  const { reads } = context;
  const { uuid } = await findProxy(reads, id, context);
  const judge = createJudge((await readPolicy(reads, uuid)).policy);
  return { ...judge({ address, path }), country: countryOf(address) };
};
