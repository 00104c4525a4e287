import { randomUUID } from 'node:crypto';
import type { Msg, MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { userOf } from './connect.ts';
import { replyPrefix, rpcSubject, serviceOf } from './subjects.ts';

/** Why a call got no response: nobody serves it, we may not send it, or the time is over. */
export class NoResponse extends Error {
  readonly reason: 'no_responders' | 'not_sent' | 'timeout';

  constructor(reason: NoResponse['reason'], call: string) {
    super(`${call} got no response: ${reason}`);
    this.reason = reason;
  }
}

interface Waiting {
  readonly call: string;
  resolve(reply: Msg): void;
  reject(error: Error): void;
}

/** The replies of one service to one connection. */
interface Inbox {
  readonly prefix: string;
  readonly waiting: Map<string, Waiting>;
}

const inboxes = new WeakMap<NatsConnection, Map<string, Inbox>>();

/**
 * Sends a call and waits for its reply, in an inbox that only the called service may publish to and under a name that
 * nobody can guess. Not the client's own `request`, which uses one inbox for all services and `Math.random()`.
 * @param timeout ms
 * @throws NoResponse
 */
export function request(
  nc: NatsConnection,
  call: string,
  body: string,
  { timeout, headers }: { readonly timeout: number; readonly headers: MsgHdrs },
): Promise<Msg> {
  const { prefix, waiting } = inboxOf(nc, serviceOf(call));
  const token = randomUUID();
  const { promise, resolve, reject } = Promise.withResolvers<Msg>();
  const timer = setTimeout(() => {
    waiting.delete(token);
    reject(new NoResponse('timeout', call));
  }, timeout);
  const end = () => {
    clearTimeout(timer);
    waiting.delete(token);
  };
  waiting.set(token, {
    call,
    resolve: (reply) => {
      end();
      resolve(reply);
    },
    reject: (error) => {
      end();
      reject(error);
    },
  });
  try {
    nc.publish(rpcSubject(call, userOf(nc)), body, { headers, reply: prefix + token });
  } catch {
    waiting.get(token)?.reject(new NoResponse('not_sent', call));
  }
  return promise;
}

function inboxOf(nc: NatsConnection, service: string): Inbox {
  const known = inboxes.get(nc) ?? new Map<string, Inbox>();
  inboxes.set(nc, known);
  return known.get(service) ?? openInbox(nc, service, known);
}

function openInbox(nc: NatsConnection, service: string, known: Map<string, Inbox>): Inbox {
  const prefix = `${replyPrefix(userOf(nc), service)}${randomUUID()}.`;
  const waiting = new Map<string, Waiting>();
  nc.subscribe(`${prefix}*`, {
    callback: (error, reply) => {
      if (error) {
        known.delete(service);
        for (const one of [...waiting.values()]) one.reject(error);
        return;
      }
      const one = waiting.get(reply.subject.slice(prefix.length));
      if (!one) return;
      if (isNoResponders(reply)) one.reject(new NoResponse('no_responders', one.call));
      else one.resolve(reply);
    },
  });
  const inbox = { prefix, waiting };
  known.set(service, inbox);
  void nc.closed().then(() => {
    for (const one of [...waiting.values()]) one.reject(new NoResponse('not_sent', one.call));
  });
  return inbox;
}

/** NATS itself answers a call that nobody serves. */
const isNoResponders = ({ data, headers }: Msg) => data.length === 0 && headers?.code === 503;
