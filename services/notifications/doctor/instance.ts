import type { DoctorCheck, DoctorFinding } from '@talpa/contracts';
import type { Sql } from '@talpa/service-kit/database/sql';
import { verifySmtp } from '../smtp/verify.ts';
import { found, type Patient, patienceMs, reasonOf, within } from './finding.ts';

const oldBackupDays = 7;
const dayMs = 86_400_000;
const listedAtMost = 20;

/** Whether the mail server lets us in, and took the last email from us. */
export async function checkMail({
  settings: { SMTP_URL: url },
  refusesSender,
}: Patient): Promise<DoctorFinding> {
  if (!url) return found('mail', 'mail_missing');
  try {
    await within(verifySmtp(url, patienceMs));
    return found('mail', refusesSender?.() ? 'mail_sender_refused' : 'mail_accepts');
  } catch (error) {
    const password = decodeURIComponent(new URL(url).password);
    // A server may repeat what it was sent.
    const reason = password ? reasonOf(error).replaceAll(password, '…') : reasonOf(error);
    return found('mail', 'mail_refused', { reason });
  }
}

/** Whether the stores respond, and in which version. */
export const checkStores = ({ stores }: Patient): Promise<DoctorFinding[]> =>
  Promise.all(
    Object.entries(stores).map(async ([store, versionOf]) => {
      try {
        return found('stores', 'store_responds', { store, version: await within(versionOf()) });
      } catch (error) {
        return found('stores', 'store_away', { store, reason: reasonOf(error) });
      }
    }),
  );

/** Whether tunnels can be set up. */
export const checkJobs = ({ ask }: Patient) =>
  told('jobs', 'tunnel-worker', async () => {
    const { length: count } = await ask('tunnel-worker.listDeadLetters', {});
    return found('jobs', count === 0 ? 'jobs_work' : 'jobs_fail', { count });
  });

/** Which certificates Talpa could not order. */
export const checkIssued = ({ settings, ask }: Patient) =>
  settings.ACME_EMAIL === undefined
    ? Promise.resolve([])
    : told('certificate', 'tunnel-worker', async () => {
        const all = (await ask('tunnel-worker.readCertificates', {})) ?? [];
        return all
          .flatMap(({ name, problem }) =>
            problem ? [found('certificate', 'certificate_unissued', { name, problem })] : [],
          )
          .slice(0, listedAtMost);
      });

/** How old the last backup is. */
export const checkBackup = ({ ask }: Patient) =>
  told('backup', 'stats', async () => {
    const { madeAt } = await ask('stats.readLastBackup', {});
    if (madeAt === null) return found('backup', 'backup_none');
    const age = Math.floor((Date.now() - Date.parse(madeAt)) / dayMs);
    return found('backup', age > oldBackupDays ? 'backup_old' : 'backup_fresh', { age });
  });

/** What a service says, or that it says nothing. */
async function told(
  check: DoctorCheck,
  service: string,
  look: () => Promise<DoctorFinding | DoctorFinding[]>,
): Promise<DoctorFinding | DoctorFinding[]> {
  try {
    return await within(look());
  } catch (error) {
    return found(check, 'not_told', { service, reason: reasonOf(error) });
  }
}

/** The version of Postgres, without its build. */
export async function postgresVersion(sql: Sql): Promise<string> {
  const [row] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
  return row?.version.split(' ')[0] ?? '';
}
