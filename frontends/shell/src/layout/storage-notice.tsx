import { formatBytes, storageQuery, useLanguage, useUser } from '@talpa/panel-kit/core';
import { Alert, Awaited } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './layout.module.css';

/** Shows administrators on every page that nothing can be created for lack of disk space. */
export function StorageNotice() {
  const t = useShellTexts();
  const language = useLanguage();
  const { isAdmin } = useUser();
  const { data: storage, isLoading } = useQuery({ ...storageQuery, enabled: isAdmin });
  if (isLoading) return <Awaited />;
  if (!isAdmin || !storage?.isShort) return null;
  const [free, reserve] = [storage.freeBytes, storage.reserveBytes].map((bytes) =>
    formatBytes(bytes, language),
  );
  return (
    <Alert
      className={styles.notice ?? ''}
      type="error"
      showIcon
      title={t('storage.title')}
      description={
        <p className={styles.noticeLine}>{t('storage.text', { free: free ?? '', reserve: reserve ?? '' })}</p>
      }
    />
  );
}
