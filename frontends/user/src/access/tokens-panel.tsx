import type { ServiceToken } from '@talpa/contracts';
import { mostServiceTokens } from '@talpa/contracts/access-limits';
import {
  formatDate,
  type ResponseBody,
  serviceTokensQuery,
  useApiMutation,
  useLanguage,
  useNow,
} from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { LongText } from '@talpa/panel-kit/table';
import { Awaited, Button, type Fact, ItemRow, ItemsPanel, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { KeySquare, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAccessTexts } from './texts.ts';
import { CreateTokenDialog, TokenSecretDialog } from './token-dialogs.tsx';

type Created = ResponseBody<'POST /api/tunnel-configs/:id/service-tokens'>;

/**
 * What lets programs pass the wall of a proxy, for those who may manage it. Tokens outlast a wall and count again with the next one:
 * those there are can be revoked without one.
 */
export function TokensPanel({ proxyId, isWall }: { readonly proxyId: number; readonly isWall: boolean }) {
  const t = useAccessTexts();
  const query = useQuery({ ...serviceTokensQuery(proxyId), staleTime: 0 });
  const { data } = query;
  const [shown, setShown] = useState<'create' | 'secret' | null>(null);
  // Kept while its dialog closes, so that it does not go blank.
  const [created, setCreated] = useState<Created | null>(null);
  const close = () => setShown(null);
  const revocation = useConfirm(
    useApiMutation('DELETE /api/tunnel-configs/:id/service-tokens/:tokenId'),
    ({ id, name }: ServiceToken) => ({
      title: t('tokens.revoke.title'),
      text: t('tokens.revoke.text', { name }),
      confirm: t('tokens.revoke.submit'),
      input: { id: proxyId, tokenId: id },
      done: { title: t('tokens.revoke.done'), text: name },
      failed: t('tokens.revoke.failed'),
    }),
  );
  const isFull = (data?.length ?? 0) >= mostServiceTokens;
  if (!isWall && query.isLoading) return <Awaited />;
  if (!isWall && !data?.length) return null;
  return (
    <ItemsPanel
      title={t('tokens.title')}
      extra={
        <Button
          icon={<Plus size={15} aria-hidden />}
          disabled={!data || isFull || !isWall}
          onClick={() => setShown('create')}
        >
          {t('tokens.create')}
        </Button>
      }
      text={
        <>
          {t('tokens.text')} {isFull && t('tokens.limit', { count: mostServiceTokens })}
        </>
      }
      query={query}
      failed={t('tokens.failed')}
      empty={t('tokens.empty')}
      row={(token) => <TokenRow key={token.id} token={token} onRevoke={() => revocation.ask(token)} />}
    >
      <CreateTokenDialog
        open={shown === 'create'}
        proxyId={proxyId}
        onCreated={(one) => {
          setCreated(one);
          setShown('secret');
        }}
        onClose={close}
      />
      {created && (
        <TokenSecretDialog
          open={shown === 'secret'}
          name={created.token.name}
          secret={created.secret}
          onClose={() => {
            close();
            // The page must not keep it.
            setCreated(null);
          }}
        />
      )}
      {revocation.dialog}
    </ItemsPanel>
  );
}

function TokenRow({ token, onRevoke }: { readonly token: ServiceToken; readonly onRevoke: () => void }) {
  const t = useAccessTexts();
  const language = useLanguage();
  const now = useNow();
  const { id, name, createdAt, expiresAt } = token;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now;
  const facts: readonly Fact[] = [
    [t('tokens.created'), formatDate(createdAt, language)],
    [t('tokens.expires'), expiresAt === null ? t('tokens.expires.never') : formatDate(expiresAt, language)],
  ];
  return (
    <ItemRow
      id={id}
      icon={<KeySquare size={19} aria-hidden />}
      head={
        <>
          <strong>
            <LongText text={name} />
          </strong>
          {isExpired && <Tag color="warning">{t('tokens.expired')}</Tag>}
        </>
      }
      facts={facts}
      actions={
        <Button size="small" aria-label={t('tokens.revokeOf', { name })} onClick={onRevoke}>
          {t('tokens.revoke')}
        </Button>
      }
    />
  );
}
