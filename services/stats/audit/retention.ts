import { auditRetention } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/process/service';
import { forgetOld } from './sql.ts';

const intervalMs = 60 * 60_000;

/** Forgets what has been kept long enough: now, and every hour. */
export function startRetention({ sql }: ServiceBase, lifecycle: Lifecycle): void {
  let stopping = false;
  const forget = async () => {
    try {
      while (!stopping && (await forgetOld(sql, auditRetention)) > 0);
    } catch (error) {
      lifecycle.log.warn({ err: error }, 'old audit rows could not be deleted, retrying');
    }
  };
  void forget();
  const timer = setInterval(forget, intervalMs);
  lifecycle.onStop('audit retention', () => {
    stopping = true;
    clearInterval(timer);
  });
}
