import { randomUUID } from 'node:crypto';
import type { InternalCalls, Verb } from '@talpa/contracts';
import type { NotificationsContext } from '../context.ts';

/** Sends the operator's test email now and says what the server answers. It is in no log: it goes to nobody we know. */
export const testDelivery: Verb<InternalCalls['notifications.testDelivery'], NotificationsContext> = async (
  { smtp, render, whileWaiting },
  { address },
) => {
  if (!smtp) return { result: 'not_set_up', answer: '', advice: null };
  const content = render({ kind: 'test', params: {} }, { username: null, language: 'en', token: null });
  const { result, answer, advice } = await whileWaiting(
    smtp.send({ ...content, to: address, id: randomUUID() }),
  );
  return { result, answer, advice };
};
