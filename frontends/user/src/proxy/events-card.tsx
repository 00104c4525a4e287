import type { ProxyEvent } from '@talpa/contracts';
import {
  type Repeated,
  repeatedRows,
  useAuditChanges,
  useAuditSentence,
  useRepeatedText,
} from '@talpa/panel-features/audit';
import { type ApiError, useUser } from '@talpa/panel-kit/core';
import { Change, EmptyState, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { History, Plug, Unplug, UserRound } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import { Moment } from './moment.tsx';
import styles from './proxy.module.css';
import { StaleNote } from './stale-note.tsx';

/** Whose the proxy, or the server, is. */
interface Owner {
  readonly userId: number;
  readonly ownerName?: string | null;
}

/** What has happened to a proxy, or a server: who did what, and when its connector came and went. */
export function EventsCard(props: {
  readonly events: UseQueryResult<ProxyEvent[], ApiError>;
  readonly owner: Owner;
  /** What will be there, while nothing is. */
  readonly empty: string;
}) {
  const t = useUserTexts();
  const { events, owner } = props;
  return (
    <Panel title={t('proxy.events')} extra={<StaleNote query={events} />} flush>
      {events.isPending && <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 4 }} />}
      {!events.data && events.isError && (
        <ErrorCard
          title={t('proxy.eventsFailed')}
          error={events.error}
          retry={() => void events.refetch()}
          retrying={events.isFetching}
        />
      )}
      {events.data?.length === 0 && (
        <EmptyState
          icon={<History size={22} aria-hidden />}
          title={t('proxy.events.none')}
          text={props.empty}
        />
      )}
      {events.data && events.data.length > 0 && (
        <ol className={styles.events}>
          {repeatedRows(events.data, saidOf).map((same) => (
            <Event key={keyOf(same[0])} events={same} owner={owner} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

type Deed = Extract<ProxyEvent, { kind: 'deed' }>;

const keyOf = (event: ProxyEvent) => (event.kind === 'deed' ? event.id : `${event.at} ${event.connected}`);
/** When a connector came and went is not the same twice. */
const saidOf = (event: ProxyEvent) => {
  if (event.kind === 'connector') return [event];
  const { id: _, at: __, ...said } = event;
  return [said];
};

function Event({ events, owner }: { readonly events: Repeated<ProxyEvent>; readonly owner: Owner }) {
  const repeated = useRepeatedText()(events);
  const [event] = events;
  return (
    <li className={styles.event}>
      <span className={styles.eventMark} aria-hidden>
        <EventIcon event={event} />
      </span>
      <div className={styles.eventText}>
        {event.kind === 'deed' ? (
          <DeedText deed={event} owner={owner} />
        ) : (
          <Turn connected={event.connected} />
        )}
        {repeated && <span className={styles.change}>{repeated}</span>}
      </div>
      <span className={styles.eventTime}>
        <Moment at={event.at} />
      </span>
    </li>
  );
}

function EventIcon({ event }: { readonly event: ProxyEvent }) {
  if (event.kind === 'deed') return <UserRound size={15} />;
  return event.connected ? <Plug size={15} /> : <Unplug size={15} />;
}

function Turn({ connected }: { readonly connected: boolean }) {
  const t = useUserTexts();
  return <span>{connected ? t('proxy.events.connected') : t('proxy.events.disconnected')}</span>;
}

function DeedText(props: { readonly deed: Deed; readonly owner: Owner }) {
  const t = useUserTexts();
  const me = useUser().id;
  const sentence = useAuditSentence(me);
  const changesOf = useAuditChanges();
  const { by, byName, keyName, action, target, changes } = props.deed;
  const owner =
    me === props.owner.userId
      ? { kind: 'self' as const, key: keyName }
      : { kind: 'user' as const, name: props.owner.ownerName ?? t('proxy.events.owner') };
  const actors = {
    owner,
    member: { kind: 'user', name: byName },
    administrator: { kind: 'administrator' },
    system: { kind: 'system' },
  } as const;
  // What it was made with is on the page already.
  const shownChanges = ['proxy.create', 'server.create'].includes(action) ? [] : changesOf(changes, action);
  return (
    <>
      <span>{sentence({ actor: actors[by], action, target })}</span>
      {shownChanges.map((change) => (
        <span key={change.field} className={styles.change}>
          <Change {...change} />
        </span>
      ))}
    </>
  );
}
