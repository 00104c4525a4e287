import type { ResyncReport } from '@talpa/contracts';
import { CliError, type LogLine } from '@talpa/instance/cli';
import { counted } from '@talpa/instance/counted';
import { command } from './command.ts';

/** Starts a resync now. It compares every tunnel and record of this installation with the database. */
export const resync = command({
  usage: 'resync',
  summary: 'compare the tunnel provider with the database, and fix the differences',
  options: {
    'dry-run': { type: 'boolean', what: 'only show what would be done' },
    confirm: { type: 'boolean', what: 'remove leftovers even if there are many, or after a restore' },
    last: { type: 'boolean', what: 'show the report of the last run' },
  },
  run: async ({ options, instance, log }) => {
    if (Object.keys(options).length > 1)
      throw new CliError('Use only one of --dry-run, --confirm, and --last.');
    if (options.last) {
      const report = await instance.ask('tunnel-worker.getResyncReport', {});
      if (report) printReport(report, log);
      else log('There has been no run yet.');
      return;
    }
    const input = { dryRun: options['dry-run'] ?? false, confirm: options.confirm ?? false };
    printReport(await instance.ask('tunnel-worker.resync', input), log);
  },
});

const reasons = {
  brake:
    'Nothing is removed: there are more leftovers than RESYNC_MAX_DELETIONS allows. Review them, then run again with --confirm.',
  restored:
    'Nothing is removed: the database was restored and may know less than the provider. Review the leftovers, then run again with --confirm.',
  missing:
    'Nothing is changed: more tunnels are missing than RESYNC_MAX_DELETIONS allows. Check CLOUDFLARE_ACCOUNT_ID. If the tunnels are really gone, run again with --confirm.',
};

function printReport(report: ResyncReport, log: LogLine): void {
  const { dryRun, leftovers, tunnelsGone, recordsGone, heldBack } = report;
  log(`${report.at}${dryRun ? ' (dry run, nothing is changed)' : ''}`);
  const records = counted(report.records, 'record');
  log(`${counted(report.tunnels, 'tunnel')} and ${records} belong to this installation`);
  log(`${counted(report.changed, 'proxy', 'proxies')} ${dryRun ? 'would change' : 'changed'} status`);
  for (const proxyId of tunnelsGone) log(`missing: tunnel of ${proxyId}`);
  for (const proxyId of recordsGone) log(`missing, will be recreated: record of ${proxyId}`);
  for (const { tunnels, records } of leftovers) {
    for (const name of tunnels) log(`left over: tunnel ${name}`);
    for (const name of records) log(`left over: record ${name}`);
  }
  const isHeld = heldBack === 'missing' || leftovers.length > 0 || recordsGone.length > 0;
  if (heldBack && isHeld) log(reasons[heldBack]);
  else if (!dryRun) log(`Proxies being fixed: ${report.enqueued}`);
}
