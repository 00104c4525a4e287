import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import type { Parts } from '../context.ts';
import { startDispatcher } from '../dispatcher.ts';
import { deliver } from './deliver.ts';
import { claimDue } from './sql.ts';

const concurrency = 5;

/** Sends emails that are due. @returns to be called when one has become due */
export function startSender(
  base: ServiceBase,
  parts: Pick<Parts, 'smtp' | 'render'>,
  lifecycle: Lifecycle,
): () => void {
  const { log } = lifecycle;
  return startDispatcher(
    {
      name: 'emails',
      lanes: [{ places: concurrency, claim: (count) => claimDue(base.sql, count) }],
      handle: (mail) =>
        deliver({ ...base, ...parts, log }, mail).catch((error) =>
          log.warn({ err: error, mailId: mail.id }, 'email could not be handled, retrying after its lease'),
        ),
      lookFailed: 'due emails cannot be looked for',
      close: () => parts.smtp?.close(),
    },
    lifecycle,
  );
}
