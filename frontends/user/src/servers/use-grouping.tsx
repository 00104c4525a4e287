import type { ProxyConfig, Server } from '@talpa/contracts';
import { ServerStatus } from '@talpa/panel-features/proxies';
import { serversQuery } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { type Grouping, LongText } from '@talpa/panel-kit/table';
import { useQuery } from '@tanstack/react-query';
import { Server as ServerIcon } from 'lucide-react';
import { isKnown } from './is-known.ts';
import { serverPath } from './server-path.ts';
import styles from './servers.module.css';
import { useServerTexts } from './texts.ts';

/** Brings the user's proxies together below the servers they run on. Until those are known each stands alone. */
export function useServerGrouping(): Grouping<ProxyConfig> {
  const { data } = useQuery(serversQuery);
  const known = new Map(data?.filter(isKnown).map((server) => [server.id, server]));
  return {
    idOf: ({ serverId }) => (known.has(serverId) ? serverId : null),
    title: (id) => <Title server={known.get(id)} />,
    extra: (id) => {
      const server = known.get(id);
      return server && <ServerStatus server={server} />;
    },
  };
}

function Title({ server }: { readonly server: Server | undefined }) {
  const t = useServerTexts();
  if (!server) return null;
  return (
    <span className={styles.head}>
      <ServerIcon size={16} aria-hidden />
      <span className={styles.kind}>{t('group')}</span>
      <Link to={serverPath(server.id)}>
        <LongText text={server.name} />
      </Link>
    </span>
  );
}
