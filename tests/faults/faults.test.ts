import { lengthOf, seedOf } from '@talpa/test-kit/lengths';
import { startMailServer } from '@talpa/test-kit/mail-server';
import { startReceiver } from '@talpa/test-kit/receiver';
import { useTalpa } from '@talpa/test-kit/system';
import { afterAll, expect, it } from 'vitest';
import { faultRun, figuresOf } from './run.ts';

const mails = await startMailServer();
const receiver = await startReceiver();
afterAll(() => Promise.all([mails.stop(), receiver.stop()]));
const options = {
  ...{ mails, receiver },
  seed: seedOf('TALPA_FAULTS_SEED'),
  seconds: lengthOf('TALPA_FAULTS_SECONDS'),
  users: Number(process.env.TALPA_FAULTS_USERS ?? 16),
};
/** Half of all runs, as the seed has it. */
const PROCESSES = process.env.TALPA_FAULTS_PROCESSES ?? (options.seed % 2 === 0 ? 'grouped' : 'separate');
const system = useTalpa(
  {
    PROCESSES,
    ...{ SMTP_URL: mails.url, MAIL_FROM: 'talpa@example.org' },
    OUTBOUND_ALLOW: '127.0.0.1/32',
    PROVISION_WAIT_MS: '2000',
    SWEEP_INTERVAL_MS: '1000',
    PROVISION_ATTEMPTS: '30',
  },
  { patience: { askMs: 1_000, asks: 3 } },
);

it(
  'nothing acknowledged is lost or doubled while everything is killed or hangs, stores stall, and the provider and the mail server fail',
  async () => {
    const result = await faultRun(system.talpa, await system.admin(), options);
    console.log(figuresOf(result, options));
    expect(result.journal.violations).toEqual([]);
  },
  options.seconds * 2_000 + 400_000,
);
