import type { Routes, Verb } from '@talpa/contracts';
import { cutUserAgent } from '@talpa/service-kit/text';
import type { AuthContext } from '../context.ts';

/**
 * Stores that somebody has forgotten a password. Whether there is such an account is looked up later by a job
 * (`reset-requests.ts`): neither the response nor its time reveals it.
 */
export const requestPasswordReset: Verb<Routes['POST /api/password-reset-request'], AuthContext> = async (
  { sql, client, requestId },
  { account },
) => {
  await sql`
    insert into reset_requests (account, client_address, user_agent, request_id)
    values (${account}, ${client.address}, ${cutUserAgent(client.userAgent)}, ${requestId})`;
  return null;
};
