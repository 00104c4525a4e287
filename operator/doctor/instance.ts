import { type CertificateProblem, certificateProblems } from '@talpa/contracts';
import { talpaCall } from '@talpa/instance/command-names';
import { counted } from '@talpa/instance/counted';
import { openBus } from '@talpa/service-kit/bus/connect';
import type { Sql } from '@talpa/service-kit/database/sql';
import { verifySmtp } from '../../services/notifications/smtp/verify.ts';
import { asAdmin } from '../backup/database.ts';
import type { Instance } from '../instance.ts';
import { type Finding, findingsOf, patienceMs, reasonOf, within } from './finding.ts';

const stores = findingsOf('stores');
const mail = findingsOf('mail');
const jobs = findingsOf('jobs');
const certificates = findingsOf('certificates');
const backups = findingsOf('backup');
const oldBackupDays = 7;

/** Whether the mail server lets us in. */
export async function checkMail({ SMTP_URL: url }: NodeJS.ProcessEnv): Promise<Finding> {
  if (!url)
    return mail.warning(
      'SMTP_URL is not set: administrators hand over links for users, and nobody gets an email about an outage.',
    );
  try {
    await within(verifySmtp(url, patienceMs));
    return mail.ok(`The mail server lets us in. “${talpaCall} mail test <address>” sends an email.`);
  } catch (error) {
    return mail.problem(`The mail server in SMTP_URL cannot be used: ${reasonOf(error)}`);
  }
}

/** What only a running instance knows. */
export async function checkInstance(instance: Instance): Promise<Finding[]> {
  const found = await Promise.all([checkNats(instance), checkJobs(instance), checkDatabase(instance)]);
  return found.flat();
}

async function checkNats(instance: Instance): Promise<Finding> {
  try {
    const nc = await within(openBus(instance.natsUrl('operator'), 'operator'));
    const version = nc.info?.version;
    // It would wait for the server.
    void nc.close();
    return stores.ok(`NATS ${version} answers.`);
  } catch (error) {
    return stores.problem(`NATS: ${reasonOf(error)}`);
  }
}

async function checkJobs(instance: Instance): Promise<Finding> {
  try {
    const letters = await within(instance.ask('tunnel-worker.listDeadLetters', {}));
    if (letters.length === 0) return jobs.ok('No proxy’s provisioning keeps failing.');
    return jobs.problem(
      `The provisioning of ${counted(letters.length, 'proxy', 'proxies')} keeps failing. See “${talpaCall} dead-letters list”.`,
    );
  } catch (error) {
    return jobs.unknown(`The worker was not asked: ${reasonOf(error)}`);
  }
}

async function checkDatabase(instance: Instance): Promise<Finding[]> {
  try {
    const look = asAdmin(instance.databaseUrl(), async (sql) => {
      const [server] = await sql<{ version: string }[]>`select current_setting('server_version') as version`;
      return [
        stores.ok(`Postgres ${server?.version} answers.`),
        ...(await refusedCertificates(sql)),
        await lastBackup(sql),
      ];
    });
    return await within(look);
  } catch (error) {
    return [stores.problem(`Postgres: ${reasonOf(error)}`)];
  }
}

async function refusedCertificates(sql: Sql): Promise<Finding[]> {
  const rows = await sql<{ name: string; problem: CertificateProblem; detail: string | null }[]>`
    select name, problem, detail from tunnel_provider.certificates where problem is not null order by name limit 20`;
  return rows.map(({ name, problem, detail }) =>
    certificates.problem(
      `${name} was not issued: ${certificateProblems[problem].en}${detail ? ` (${detail})` : ''}`,
    ),
  );
}

async function lastBackup(sql: Sql): Promise<Finding> {
  const [last] = await sql<{ days: number | null }[]>`
    select floor(extract(epoch from now() - max(made_at)) / 86400)::integer as days from stats.backups`;
  const how = `Make one with “${talpaCall} backup <folder>”.`;
  if (typeof last?.days !== 'number') return backups.warning(`None was ever made. ${how}`);
  const age = last.days === 0 ? 'less than a day' : counted(last.days, 'day');
  return last.days > oldBackupDays
    ? backups.warning(`The last one is ${age} old. ${how}`)
    : backups.ok(`The last one is ${age} old.`);
}
