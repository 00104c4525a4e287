import {
  type Routes,
  type SetUpStepName,
  type SystemCheck,
  setUpStepNames,
  setUpSteps,
  type Verb,
} from '@talpa/contracts';
import { isLoopback } from '@talpa/contracts/reach';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { StatsContext } from '../context.ts';
import type { StatsSettings } from '../settings.ts';
import { readTotals } from '../totals/get.ts';
import { lastBackup } from './last-backup.ts';

/** How the installation is set up, from the settings and from what the services say; what one does not say is unknown. */
export const getSystem: Verb<Routes['GET /api/admin/system'], StatsContext> = async (context) => {
  const { nc, reads, sql, settings } = context;
  const [setUp, customers, backup, totals] = await Promise.allSettled([
    callInternal(nc, 'notifications.readSetUp', {}, context),
    callInternal(nc, 'auth.hasCustomers', {}, context),
    lastBackup(sql),
    readTotals(reads),
  ]);
  if (backup.status === 'rejected') throw backup.reason;
  const madeAt = backup.value;
  const done: Readonly<Record<SetUpStepName, boolean | null>> = {
    ...ofSettings(settings),
    mail: setUp.status === 'fulfilled' ? setUp.value.hasMail : null,
    backup: madeAt !== null,
    customer: customers.status === 'fulfilled' ? customers.value.has : null,
  };
  const failing = setUp.status === 'fulfilled' ? setUp.value.failing : null;
  return {
    checks: setUpStepNames.map((check) => ({ check, state: stateOf(check, done[check], failing) })),
    lastBackupAt: madeAt,
    totals: totals.status === 'fulfilled' ? totals.value : null,
  };
};

/** What is set up is called done only where the doctor has looked and says nothing else. */
function stateOf(
  check: SetUpStepName,
  isSetUp: boolean | null,
  failing: readonly SetUpStepName[] | null,
): SystemCheck['state'] {
  if (isSetUp === false) return 'missing';
  const isLookedAt = setUpSteps[check].failsWith.length > 0;
  if (isSetUp === null || (isLookedAt && failing === null)) return 'unknown';
  return failing?.includes(check) ? 'failing' : 'ok';
}

/** What the settings alone decide. */
export function ofSettings(settings: Pick<StatsSettings, 'TUNNEL_DOMAIN' | 'PUBLIC_URL'>) {
  const panel = settings.PUBLIC_URL === undefined ? null : new URL(settings.PUBLIC_URL);
  const isPublic = panel !== null && !isLoopback(panel.hostname);
  return {
    domain: !isLoopback(settings.TUNNEL_DOMAIN),
    publicUrl: isPublic,
    // With ACME_EMAIL the launcher asks for it, and a proxy in front that has the certificate is named by it.
    https: isPublic && panel.protocol === 'https:',
  };
}
