import { entitlementAt, type Tier } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';

export interface KnownPlan {
  readonly tier: Tier | null;
  readonly proxyLimit: number;
  readonly expiresAt: Date | null;
  readonly version: number;
  readonly deleted: boolean;
}

/** What a user may have by what is known of their plan. */
export const effective = ({ tier, proxyLimit, expiresAt }: Omit<KnownPlan, 'version' | 'deleted'>) =>
  entitlementAt({ tier, proxyLimit, expiresAt: expiresAt?.toISOString() ?? null }, new Date());

/** How many proxies a user may have; null while that is not known. */
export async function limitOf(sql: AnySql, userId: number): Promise<number | null> {
  const [plan] = await sql<KnownPlan[]>`select * from plans where user_id = ${userId} and not deleted`;
  return plan ? effective(plan).proxyLimit : null;
}
