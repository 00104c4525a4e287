import type { ApiKey } from '@talpa/contracts';
import { apiKeysPerUser } from '@talpa/contracts/api-key-limits';
import { ownApiKeysQuery, type ResponseBody } from '@talpa/panel-kit/core';
import { Button, ItemsPanel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ApiKeyRow } from './api-key-row.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useApiKeyTexts } from './texts.ts';

type Created = ResponseBody<'POST /api/user/api-keys'>;

/** The user's API keys. */
export function ApiKeysPanel() {
  const t = useApiKeyTexts();
  const query = useQuery(ownApiKeysQuery);
  const { data } = query;
  const [shown, setShown] = useState<'create' | 'secret' | 'revoke' | null>(null);
  // Kept while their dialogs close, so that these do not go blank.
  const [created, setCreated] = useState<Created | null>(null);
  const [selected, setSelected] = useState<ApiKey | null>(null);
  const close = () => setShown(null);
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
      row={(apiKey) => (
        <ApiKeyRow
          key={apiKey.id}
          apiKey={apiKey}
          onRevoke={() => {
            setSelected(apiKey);
            setShown('revoke');
          }}
        />
      )}
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
      {selected && <RevokeDialog open={shown === 'revoke'} apiKey={selected} onClose={close} />}
    </ItemsPanel>
  );
}
