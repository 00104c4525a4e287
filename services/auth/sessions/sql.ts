import type { AnySql } from '@talpa/service-kit/database/connect';

/** A session ends after this many days at most, or this many without use. */
export const maximumDays = 30;
export const idleDays = 7;

/** Ends a user's sessions, all but one of them. */
export async function endSessions(sql: AnySql, userId: number, keepSessionId: string): Promise<void> {
  await sql`delete from sessions where user_id = ${userId} and id <> ${keepSessionId}`;
}
