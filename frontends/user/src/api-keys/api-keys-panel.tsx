import type { ApiKey } from '@talpa/contracts';
import { apiKeysPerUser } from '@talpa/contracts/api-key-limits';
import { ownApiKeysQuery, type ResponseBody, useApiMutation } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { Button, ItemsPanel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ApiKeyRow } from './api-key-row.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useApiKeyTexts } from './texts.ts';

type Created = ResponseBody<'POST /api/user/api-keys'>;

/** The user's API keys. */
export function ApiKeysPanel() {
  const t = useApiKeyTexts();
  const query = useQuery(ownApiKeysQuery);
  const { data } = query;
  const [shown, setShown] = useState<'create' | 'secret' | null>(null);
  // Kept while its dialog closes, so that it does not go blank.
  const [created, setCreated] = useState<Created | null>(null);
  const close = () => setShown(null);
  const revocation = useConfirm(useApiMutation('DELETE /api/user/api-keys/:id'), ({ id, name }: ApiKey) => ({
    title: t('revoke.title'),
    text: t('revoke.text', { name }),
    confirm: t('revoke.submit'),
    input: { id },
    done: { title: t('revoke.done'), text: name },
    failed: t('revoke.failed'),
  }));
  const isFull = (data?.length ?? 0) >= apiKeysPerUser;
  return (
    <ItemsPanel
      title={t('keys')}
      extra={
        <Button
          icon={<Plus size={15} aria-hidden />}
          disabled={!data || isFull}
          onClick={() => setShown('create')}
        >
          {t('create')}
        </Button>
      }
      text={
        <>
          {t('keys.text')} {isFull && t('keys.limit', { count: apiKeysPerUser })}{' '}
          <a href="/api/docs">{t('keys.docs')}</a>
        </>
      }
      query={query}
      failed={t('keys.failed')}
      empty={t('keys.empty')}
      row={(apiKey) => <ApiKeyRow key={apiKey.id} apiKey={apiKey} onRevoke={() => revocation.ask(apiKey)} />}
    >
      <CreateDialog
        open={shown === 'create'}
        onCreated={(one) => {
          setCreated(one);
          setShown('secret');
        }}
        onClose={close}
      />
      {created && (
        <SecretDialog
          open={shown === 'secret'}
          name={created.apiKey.name}
          secret={created.key}
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
