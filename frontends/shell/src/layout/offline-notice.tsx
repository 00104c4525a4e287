import { Alert } from '@talpa/panel-kit/ui';
import { useSyncExternalStore } from 'react';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './layout.module.css';

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}

/** Says that the browser has no network, as long as it has none. */
export function OfflineNotice() {
  const t = useShellTexts();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (online) return null;
  return (
    <Alert
      className={styles.notice ?? ''}
      type="warning"
      showIcon
      title={t('offline.title')}
      description={t('offline.text')}
    />
  );
}
