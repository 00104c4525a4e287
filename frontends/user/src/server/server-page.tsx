import type { Server } from '@talpa/contracts';
import { ConnectDialog, ServerStatus } from '@talpa/panel-features/proxies';
import {
  ApiError,
  serverEventsQuery,
  serverHealthQuery,
  serverQuery,
  useHeadOf,
  useKitTexts,
  useUser,
} from '@talpa/panel-kit/core';
import { Link, Navigate, useParams } from '@talpa/panel-kit/router';
import { BackLink, Button, EmptyState, ErrorCard, Page, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Server as ServerIcon, SquareTerminal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useListPath } from '../list-path.ts';
import { pages } from '../pages.ts';
import { ConnectorFacts } from '../proxy/connector-facts.tsx';
import { EventsCard } from '../proxy/events-card.tsx';
import { StaleNote } from '../proxy/stale-note.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import { RenameDialog } from './rename-dialog.tsx';
import styles from './server.module.css';
import { ServerProxies } from './server-proxies.tsx';
import { ServerRisks, useMayChange } from './server-risks.tsx';
import { useServerPageTexts } from './texts.ts';
import { TokenButton } from './token-button.tsx';

/** Events arrive as they happen; what goes on without a change is fetched this often, in ms. */
const lookMs = 30_000;

/** One server: how its connector is, and the proxies behind it. */
export function ServerPage() {
  const t = useServerPageTexts();
  const head = useHeadOf(pages.server);
  const { id = '' } = useParams();
  const server = useQuery(serverQuery(Number(id)));
  const [isDeleting, setDeleting] = useState(false);
  const isGone = server.error instanceof ApiError && [400, 404].includes(server.error.status);
  if (isGone && isDeleting) return <Navigate to={pages.proxies.path} replace />;
  if (isGone) return <Gone shown={server.data ?? null} />;
  if (server.data)
    return <Shown server={server.data} note={<StaleNote query={server} />} onDeleting={setDeleting} />;
  return (
    <Page {...head} back={<Back />}>
      <Panel flush>
        {server.isError ? (
          <ErrorCard
            title={t('loadFailed')}
            error={server.error}
            retry={() => void server.refetch()}
            retrying={server.isFetching}
          />
        ) : (
          <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 6 }} />
        )}
      </Panel>
    </Page>
  );
}

function Back({ from }: { readonly from?: Server }) {
  const t = useUserTexts();
  return <BackLink to={useListPath(from)} text={t('proxy.back')} />;
}

/** There is no such server. @param props.shown what was shown here a moment ago; null: nothing */
function Gone({ shown }: { readonly shown: Server | null }) {
  const t = useServerPageTexts();
  const kit = useKitTexts();
  const head = useHeadOf(pages.server);
  const why = shown
    ? { title: kit('gone.title'), text: t('gone.text', { name: shown.name }) }
    : { title: t('notFound'), text: t('notFound.text') };
  return (
    <Page title={shown?.name ?? head.title}>
      <Panel flush>
        <div role="alert">
          <EmptyState icon={<ServerIcon size={22} aria-hidden />} {...why} action={<Back />} />
        </div>
      </Panel>
    </Page>
  );
}

function Shown(props: {
  readonly server: Server;
  /** That it could not be fetched again. */
  readonly note: ReactNode;
  readonly onDeleting: (isDeleting: boolean) => void;
}) {
  const t = useServerPageTexts();
  const { server } = props;
  const { proxyIds } = server;
  const [isRenaming, setRenaming] = useState(false);
  const [isConnecting, setConnecting] = useState(false);
  const mayChange = useMayChange() && server.role === 'owner';
  return (
    <Page
      back={<Back from={server} />}
      title={server.name}
      status={<ServerStatus server={server} />}
      subtitle={
        <span className={styles.subtitle}>
          {proxyIds.length > 0 && <span>{t('kind', { count: proxyIds.length })}</span>}
          <Owner server={server} />
          {props.note}
        </span>
      }
      actions={
        mayChange && (
          <Button icon={<Pencil size={15} aria-hidden />} onClick={() => setRenaming(true)}>
            {t('rename')}
          </Button>
        )
      }
    >
      <ServerProxies server={server} onConnect={mayChange ? () => setConnecting(true) : undefined} />
      <Connector server={server} onConnect={mayChange ? () => setConnecting(true) : undefined} />
      <Events server={server} />
      <ServerRisks server={server} onDeleting={props.onDeleting} />
      <ConnectDialog open={isConnecting} server={server} onClose={() => setConnecting(false)} />
      <RenameDialog server={server} open={isRenaming} onClose={() => setRenaming(false)} />
    </Page>
  );
}

/** Whose a server is, for members and for an administrator who looks at another's. */
function Owner({ server }: { readonly server: Server }) {
  const t = useServerPageTexts();
  const { id: me, isAdmin } = useUser();
  if (server.userId === me) return null;
  if (!isAdmin) return <span>{t('shared.part')}</span>;
  return <Link to={`/admin/users/${server.userId}`}>{t('owner', { id: server.userId })}</Link>;
}

function Connector({
  server,
  onConnect,
}: {
  readonly server: Server;
  readonly onConnect: (() => void) | undefined;
}) {
  const t = useServerPageTexts();
  const say = useUserTexts();
  const showsToken = useMayChange() && server.mayReadToken;
  const health = useQuery({ ...serverHealthQuery(server.id), refetchInterval: lookMs });
  return (
    <Panel
      title={say('proxy.connector')}
      extra={
        showsToken ? (
          <span className={styles.buttons}>
            {onConnect && (
              <Button icon={<SquareTerminal size={15} aria-hidden />} onClick={onConnect}>
                {t('connect')}
              </Button>
            )}
            <TokenButton server={server} />
          </span>
        ) : (
          <StaleNote query={health} />
        )
      }
    >
      {health.data && <ConnectorFacts connector={health.data.connector} of={server} />}
      {!health.data && health.isError && (
        <ErrorCard
          title={say('proxy.healthFailed')}
          error={health.error}
          retry={() => void health.refetch()}
          retrying={health.isFetching}
        />
      )}
      {health.isPending && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
    </Panel>
  );
}

function Events({ server }: { readonly server: Server }) {
  const t = useServerPageTexts();
  return (
    <EventsCard events={useQuery(serverEventsQuery(server.id))} owner={server} empty={t('events.none')} />
  );
}
