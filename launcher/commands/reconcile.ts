import type { ReconcileReport } from '@talpa/contracts';
import { PlainError, type Say } from '../say.ts';
import { command } from './command.ts';

/** Makes the reconciler look now, at all that bears this installation's name. */
export const reconcile = command({
  usage: 'reconcile',
  summary: 'compare the tunnel provider with what is wanted, and put right what differs',
  options: {
    'dry-run': { type: 'boolean', what: 'only say what would be done' },
    confirm: { type: 'boolean', what: 'remove what is left over although it is much, or after a restore' },
    last: { type: 'boolean', what: 'show what the last pass saw and did' },
  },
  run: async ({ options, instance, say }) => {
    if (Object.keys(options).length > 1)
      throw new PlainError('Of --dry-run, --confirm and --last only one can be given.');
    if (options.last) {
      const report = await instance.ask('worker.getReconcileReport', {});
      if (report) tell(report, say);
      else say('There has been no pass yet.');
      return;
    }
    const input = { dryRun: options['dry-run'] ?? false, confirm: options.confirm ?? false };
    tell(await instance.ask('worker.reconcile', input), say);
  },
});

const reasons = {
  brake: 'Nothing is removed: it is more than RECONCILE_BRAKE at once. Look at it, then add --confirm.',
  restored:
    'Nothing is removed: the database was restored and may know less than the provider. Look at it, then add --confirm.',
};

function tell(report: ReconcileReport, say: Say): void {
  const { dryRun, leftovers, tunnelsGone, recordsGone, heldBack } = report;
  say(`${report.at}${dryRun ? ' (dry run: nothing is changed)' : ''}`);
  say(`${report.tunnels} tunnels and ${report.records} records bear this installation’s name`);
  say(`${report.changed} proxies ${dryRun ? 'would change' : 'changed'} their status`);
  for (const proxyId of tunnelsGone) say(`gone: the tunnel of ${proxyId}`);
  for (const proxyId of recordsGone) say(`gone, to be made anew: the record of ${proxyId}`);
  for (const { tunnels, records } of leftovers) {
    for (const name of tunnels) say(`left over: tunnel ${name}`);
    for (const name of records) say(`left over: record ${name}`);
  }
  if (heldBack && (leftovers.length > 0 || recordsGone.length > 0)) say(reasons[heldBack]);
  else if (!dryRun) say(`${report.woken} proxies are being put right`);
}
