import { ServerStatus } from '@talpa/panel-features/proxies';
import { serversQuery } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { LongText } from '@talpa/panel-kit/table';
import { ItemRow, ItemsPanel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Server as ServerIcon } from 'lucide-react';
import { serverPath } from './server-path.ts';
import { useServerTexts } from './texts.ts';

/** The user's servers that no row of the list leads to, because they have no proxy; nothing while there is none. */
export function EmptyServers() {
  const t = useServerTexts();
  const query = useQuery({
    ...serversQuery,
    select: (servers) => servers.filter(({ proxyIds }) => proxyIds.length === 0),
  });
  if (!query.data || query.data.length === 0) return null;
  return (
    <ItemsPanel
      title={t('empty')}
      text={t('empty.text')}
      query={query}
      failed={t('empty.failed')}
      row={(server) => (
        <ItemRow
          key={server.id}
          id={server.id}
          icon={<ServerIcon size={19} aria-hidden />}
          head={
            <>
              <strong>
                <Link to={serverPath(server.id)}>
                  <LongText text={server.name} />
                </Link>
              </strong>
              <ServerStatus server={server} />
            </>
          }
          facts={[]}
        />
      )}
    />
  );
}
