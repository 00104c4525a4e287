import { readStreamState } from '@talpa/service-kit/bus/stream-state';
import { streams } from '@talpa/service-kit/bus/subjects';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import type { ServiceBase } from '@talpa/service-kit/service/service';
import { counter } from '@talpa/service-kit/telemetry/metrics';

type Base = Pick<ServiceBase, 'sql' | 'nc'>;

const losses = counter('talpa_messages_lost_total', 'Messages that left their stream unhandled', ['stream']);

/** Says which messages left a stream of stats unhandled. Nobody can publish them again: their writers keep no copy. */
export function watchLosses(base: Base, intervalMs: number, lifecycle: Lifecycle): void {
  for (const stream of [streams.audit, streams.measurements, streams.requests]) {
    losses.labels(stream).inc(0);
    const look = async () => {
      const { lost, isAnother } = await findLosses(base, stream);
      const count = lost.reduce((sum, { from, to }) => sum + to - from, 0);
      losses.labels(stream).inc(isAnother ? 1 : count);
      if (isAnother)
        lifecycle.log.error(
          { stream },
          'stream was made anew: what it held is lost; find out who removed it',
        );
      if (count > 0)
        lifecycle.log.error(
          { stream, count, numbers: lost },
          'messages left the stream unhandled: they are lost; find out who purged it',
        );
    };
    lifecycle.every(intervalMs, look, {
      failed: `the stream ${stream} could not be looked at`,
      level: 'debug',
    });
  }
}

interface Losses {
  /** The messages' numbers in the stream, without `to`. */
  readonly lost: readonly { readonly from: number; readonly to: number }[];
  /** NATS has made the stream anew since the last look. */
  readonly isAnother: boolean;
}

/**
 * What the stream lost since the last look. All before its first message has been removed: by an acknowledgment,
 * which was stored before as handled, or by somebody else.
 */
export async function findLosses({ sql, nc }: Base, stream: string): Promise<Losses> {
  const { created, first: firstNow } = await readStreamState(nc, stream);
  return sql.begin(async (tx) => {
    await tx`insert into handled_messages (stream) values (${stream}) on conflict do nothing`;
    const [before] = await tx<{ created: string | null; floor: number }[]>`
      select created, floor from handled_messages where stream = ${stream} for update`;
    const isSame = before?.created === created;
    const first = Math.max(firstNow, isSame ? before.floor : 1);
    const lost = await tx<{ from: number; to: number }[]>`
      select lower(gone) as from, upper(gone) as to from handled_messages,
        unnest(int8multirange(int8range(${isSame ? before.floor : first}, ${first})) - handled) gone
      where stream = ${stream}`;
    await tx`
      update handled_messages set created = ${created}, floor = ${first},
        handled = handled * int8multirange(int8range(${first}, null))
      where stream = ${stream}`;
    return { lost, isAnother: !isSame && typeof before?.created === 'string' };
  });
}
