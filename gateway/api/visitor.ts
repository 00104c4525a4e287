import type { NatsConnection } from '@nats-io/transport-node';
import type { Actor } from '@talpa/contracts';
import { AppError } from '@talpa/service-kit/app-error';
import type { CallInfo } from '@talpa/service-kit/bus/message';
import { callInternal } from '@talpa/service-kit/bus/request';
import type { SessionToken } from '@talpa/service-kit/session/token';
import type { Stamps } from '@talpa/service-kit/stamps';
import type { Sessions } from '../session/sessions.ts';

/** Under which stamps somebody's answers may be remembered. */
export interface VisitorStamps {
  /** The user's stamp; null: remember nothing. */
  readonly ownStamp: string | null;
  /** Everybody's stamp, where it was asked for; null: remember nothing. */
  readonly commonStamp: string | null;
}

/** Who asks. */
export interface Visitor extends VisitorStamps {
  readonly actor: Actor | null;
  /** Auth's signature for the actor, passed on with each call. */
  readonly assertion: string | null;
}

export interface Recognition {
  /** What the cookie claims. */
  readonly claim: SessionToken | null;
  /** Whether this counts as use of the session. */
  readonly use: boolean;
  readonly info: Omit<CallInfo, 'origin'>;
  /** Whether everybody's stamp is needed too. */
  readonly common?: boolean;
}

/** Finds out who asks. @throws AppError when auth cannot be asked: never taken for “signed out” */
export type Recognize = (recognition: Recognition) => Promise<Visitor>;

/** The stamps of whoever makes a claim, in one go. */
export async function readStamps(
  stamps: Stamps,
  claim: SessionToken | null,
  common: boolean,
): Promise<VisitorStamps> {
  const owners = [...(claim ? [claim.userId] : []), ...(common ? (['everybody'] as const) : [])];
  const read = owners.length > 0 ? await stamps.read(owners) : null;
  return { ownStamp: (claim && read?.[0]) || null, commonStamp: (common && read?.at(-1)) || null };
}

const nobody = { actor: null, assertion: null } as const;

/** The stamps are read first: what is fetched after a write then never lies under a live one. */
export function createRecognize(nc: NatsConnection, sessions: Sessions, stamps: Stamps): Recognize {
  return async ({ claim, use, info, common = false }) => {
    const read = await readStamps(stamps, claim, common);
    if (!claim) return { ...nobody, ...read };
    const signed = await sessions.actorOf(claim, read.ownStamp, use, (token, isUse) =>
      callInternal(nc, 'auth.getSession', { token, use: isUse }, info).catch(notAnswered),
    );
    return { ...(signed ?? nobody), ...read };
  };
}

/** Nothing has been done yet, so one may just try again: that is not what a late answer says. */
function notAnswered(error: unknown): never {
  throw error instanceof AppError && error.code === 'deadline_exceeded'
    ? new AppError('service_unavailable', { cause: error })
    : error;
}
