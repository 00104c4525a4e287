import type { ApiKey } from '@talpa/contracts';
import { apiKeysPerUser } from '@talpa/contracts/api-key-limits';
import { ownApiKeysQuery, type ResponseBody } from '@talpa/panel-kit/core';
import { Button, ErrorCard, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ApiKeyRow } from './api-key-row.tsx';
import styles from './api-keys.module.css';
import { CreateDialog } from './create-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useApiKeyTexts } from './texts.ts';

type Created = ResponseBody<'POST /api/user/api-keys'>;

/** The user's API keys. */
export function ApiKeysPanel() {
  const t = useApiKeyTexts();
  const { data, error, isPending, isFetching, refetch } = useQuery(ownApiKeysQuery);
  const [shown, setShown] = useState<'create' | 'secret' | 'revoke' | null>(null);
  // Kept while their dialogs close, so that these do not go blank.
  const [created, setCreated] = useState<Created | null>(null);
  const [selected, setSelected] = useState<ApiKey | null>(null);
  const close = () => setShown(null);
  const isFull = (data?.length ?? 0) >= apiKeysPerUser;
  return (
    <Panel
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
    >
      <p className={styles.text}>
        {t('keys.text')} {isFull && t('keys.limit', { count: apiKeysPerUser })}{' '}
        <a href="/api/docs">{t('keys.docs')}</a>
      </p>
      {isPending && <Skeleton active paragraph={{ rows: 2 }} />}
      {error && (
        <ErrorCard
          title={t('keys.failed')}
          error={error}
          retry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data?.length === 0 && <p className={styles.note}>{t('keys.empty')}</p>}
      {data && data.length > 0 && (
        <ul className={styles.list} aria-label={t('keys')} data-list>
          {data.map((apiKey) => (
            <ApiKeyRow
              key={apiKey.id}
              apiKey={apiKey}
              onRevoke={() => {
                setSelected(apiKey);
                setShown('revoke');
              }}
            />
          ))}
        </ul>
      )}
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
    </Panel>
  );
}
