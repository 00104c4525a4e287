import { useAgo } from '@talpa/panel-kit/core';
import { IconButton } from '@talpa/panel-kit/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxy.module.css';

/** Says that what is shown could not be fetched again, how old it is, and offers another try. */
export function StaleNote({ query }: { readonly query: UseQueryResult<unknown> }) {
  const t = useUserTexts();
  const ago = useAgo();
  if (query.data === undefined || !query.isError) return null;
  return (
    <span className={styles.old} role="status">
      {t('proxy.asOf', { ago: ago(new Date(query.dataUpdatedAt).toISOString()) })}
      <IconButton
        label={t('proxy.again')}
        icon={<RefreshCw size={15} aria-hidden />}
        loading={query.isFetching}
        onClick={() => void query.refetch()}
      />
    </span>
  );
}
