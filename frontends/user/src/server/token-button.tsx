import type { Server } from '@talpa/contracts';
import { TokenLine, TokenShared } from '@talpa/panel-features/proxies';
import { call, useKitTexts, useLanguage } from '@talpa/panel-kit/core';
import { Dialog } from '@talpa/panel-kit/form';
import { Button, ErrorCard, Loading } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import styles from './server.module.css';
import { useServerPageTexts } from './texts.ts';

/** Shows the token that a server's connector signs in with. */
export function TokenButton({ server }: { readonly server: Server }) {
  const t = useServerPageTexts();
  const kit = useKitTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        icon={<KeyRound size={15} aria-hidden />}
        disabled={!server.cfTunnelId}
        onClick={() => setOpen(true)}
      >
        {t('token.show')}
      </Button>
      <Dialog
        open={isOpen}
        title={t('token')}
        footer={null}
        onCancel={() => setOpen(false)}
        closable={{ 'aria-label': kit('close') }}
        destroyOnHidden
        width={520}
      >
        <Token server={server} />
      </Dialog>
    </>
  );
}

/** The token is asked for each time and kept nowhere: not in the cache either. */
function Token({ server }: { readonly server: Server }) {
  const { id, cfTunnelId } = server;
  const t = useServerPageTexts();
  const language = useLanguage();
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['server-token', id, cfTunnelId],
    queryFn: () => call('GET /api/servers/:id/tunnel-token', { id }, { language }),
    gcTime: 0,
    staleTime: 0,
  });
  if (error)
    return (
      <ErrorCard title={t('token.failed')} error={error} retry={() => void refetch()} retrying={isFetching} />
    );
  if (!data) return <Loading />;
  return (
    <>
      <p className={styles.text}>{t('token.text')}</p>
      <TokenLine token={data.token} label={t('token')} />
      <TokenShared server={server} />
    </>
  );
}
