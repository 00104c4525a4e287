import { createHash } from 'node:crypto';
import type { ClientInfo } from '@talpa/contracts';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import { cutUserAgent } from '@talpa/service-kit/text';

/** How long a browser is known after it was last used to sign in. */
const knownDays = 180;

const placeOf = ({ address, userAgent }: ClientInfo) =>
  createHash('sha256').update(`${address} ${userAgent}`).digest();

/**
 * Stores the browser that somebody signs in with. The caller holds the user's row.
 * @returns whether it is new; the first one of a user is not
 */
export async function storeDevice(tx: Tx, userId: number, client: ClientInfo): Promise<boolean> {
  const place = placeOf(client);
  const id = client.device ?? place.toString('base64url');
  const { count: known } = await tx.sql`
    update known_devices set last_used_at = now(), place = ${place}
    where user_id = ${userId} and (id = ${id} or place = ${place})`;
  if (known > 0) return false;
  const [other] = await tx.sql`select 1 from known_devices where user_id = ${userId} limit 1`;
  await tx.sql`insert into known_devices (user_id, id, place) values (${userId}, ${id}, ${place})`;
  return other !== undefined;
}

/** Which known browser somebody uses; empty: none. */
export async function knownDevice(tx: Tx, userId: number, client: ClientInfo): Promise<string> {
  const [row] = await tx.sql<{ id: string }[]>`
    select id from known_devices
    where user_id = ${userId} and (id = ${client.device ?? ''} or place = ${placeOf(client)})
    order by id = ${client.device ?? ''} desc limit 1`;
  return row?.id ?? '';
}

/** The next browser is the first one again. */
export async function forgetDevices(tx: Tx, userId: number): Promise<void> {
  await tx.sql`delete from known_devices where user_id = ${userId}`;
}

export async function deleteOldDevices(sql: AnySql): Promise<void> {
  await sql`delete from known_devices where last_used_at < now() - ${`${knownDays} days`}::interval`;
}

const browsers = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const;
const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\biPhone\b|\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

/** A browser in a few words, by what it says of itself: “Firefox, Linux”. No proof of anything. */
export function describeDevice(userAgent: string): string {
  const named = (kinds: typeof browsers | typeof systems) =>
    kinds.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const [, product] = /^([\w.-]{1,40})/.exec(cutUserAgent(userAgent)) ?? [];
  return [named(browsers), named(systems)].filter(Boolean).join(', ') || product || '?';
}
