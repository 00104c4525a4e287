import type { ProxyConfig, ProxyEvent } from '@talpa/contracts';
import {
  type Repeated,
  repeatedRows,
  useAuditChanges,
  useAuditSentence,
  useRepeatedText,
} from '@talpa/panel-features/audit';
import { proxyEventsQuery, useUser } from '@talpa/panel-kit/core';
import { Change, EmptyState, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { History, Plug, Unplug, UserRound } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import { Moment } from './moment.tsx';
import styles from './proxy.module.css';
import { StaleNote } from './stale-note.tsx';

/** What has happened to a proxy: who did what, and when its connector came and went. */
export function EventsCard(props: { readonly proxy: ProxyConfig }) {
  const t = useUserTexts();
  const events = useQuery(proxyEventsQuery(props.proxy.id));
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
          text={t('proxy.events.none.text')}
        />
      )}
      {events.data && events.data.length > 0 && (
        <ol className={styles.events}>
          {repeatedRows(events.data, saidOf).map((same) => (
            <Event key={keyOf(same[0])} events={same} proxy={props.proxy} />
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

function Event({ events, proxy }: { readonly events: Repeated<ProxyEvent>; readonly proxy: ProxyConfig }) {
  const repeated = useRepeatedText()(events);
  const [event] = events;
  return (
    <li className={styles.event}>
      <span className={styles.eventMark} aria-hidden>
        <EventIcon event={event} />
      </span>
      <div className={styles.eventText}>
        {event.kind === 'deed' ? (
          <DeedText deed={event} proxy={proxy} />
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

function DeedText(props: { readonly deed: Deed; readonly proxy: ProxyConfig }) {
  const t = useUserTexts();
  const me = useUser().id;
  const sentence = useAuditSentence(me);
  const changesOf = useAuditChanges();
  const { by, byName, action, target, changes } = props.deed;
  const owner =
    me === props.proxy.userId
      ? { kind: 'self' as const }
      : { kind: 'user' as const, name: props.proxy.ownerName ?? t('proxy.events.owner') };
  const actors = {
    owner,
    member: { kind: 'user', name: byName },
    administrator: { kind: 'administrator' },
    system: { kind: 'system' },
  } as const;
  // What it was made with is on the page already.
  const shownChanges = action === 'proxy.create' ? [] : changesOf(changes, action);
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
