import type { Server } from '@talpa/contracts';
import { useApiMutation, useUser } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { Button, Panel } from '@talpa/panel-kit/ui';
import { Risk } from '../proxy/danger-zone.tsx';
import { useServerTexts } from '../servers/texts.ts';
import { useNewToken } from '../servers/use-new-token.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import { useServerPageTexts } from './texts.ts';

/** Suspended users only look, and delete. */
export function useMayChange(): boolean {
  const { suspension, isAdmin } = useUser();
  return !suspension || isAdmin;
}

/** What cannot be undone; each asks first. */
export function ServerRisks(props: {
  readonly server: Server;
  readonly onDeleting: (isDeleting: boolean) => void;
}) {
  const t = useServerPageTexts();
  const say = useUserTexts();
  const newTokenText = useServerTexts()('token.new');
  const { server, onDeleting } = props;
  const newToken = useNewToken();
  const deletion = useConfirm(useApiMutation('DELETE /api/servers/:id'), ({ id, name }: Server) => ({
    title: t('delete.title'),
    text: t('delete.text', { name }),
    confirm: t('delete.submit'),
    input: { id },
    done: { title: t('delete.done'), text: name },
    failed: t('delete.failed'),
    onStart: () => onDeleting(true),
    onFailed: () => onDeleting(false),
  }));
  const isOwn = server.role === 'owner';
  const hasProxies = server.proxyIds.length > 0;
  const mayRenew = useMayChange() && server.mayReadToken;
  if (!isOwn && !mayRenew) return null;
  return (
    <Panel title={say('proxy.danger')} danger flush>
      {mayRenew && (
        <Risk title={newTokenText} text={t(server.tokenShared ? 'token.new.why.shared' : 'token.new.why')}>
          <Button disabled={server.status === 'pending'} onClick={() => newToken.ask(server)}>
            {newTokenText}
          </Button>
        </Risk>
      )}
      {isOwn && (
        <Risk title={t('delete')} text={t(hasProxies ? 'delete.notEmpty' : 'delete.why')}>
          <Button danger type="primary" disabled={hasProxies} onClick={() => deletion.ask(server)}>
            {t('delete')}
          </Button>
        </Risk>
      )}
      {newToken.dialog}
      {deletion.dialog}
    </Panel>
  );
}
