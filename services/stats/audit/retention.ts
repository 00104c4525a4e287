import { auditRetention } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { forgetOld } from './sql.ts';

const intervalMs = 60 * 60_000;

/** Forgets what has been kept long enough: now, and every hour. */
export function startRetention({ sql }: ServiceBase, lifecycle: Lifecycle): void {
  const forget = async (signal: AbortSignal) => {
    while (!signal.aborted && (await forgetOld(sql, auditRetention)) > 0);
  };
  lifecycle.every(intervalMs, forget, { failed: 'old audit rows could not be deleted, retrying' });
}
