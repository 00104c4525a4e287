import type { LoggedRequest } from '@talpa/contracts';
import { Tag } from '@talpa/panel-kit/ui';
import styles from './requests.module.css';
import { useRequestTexts } from './texts.ts';

const colors = ['default', 'success', 'processing', 'warning', 'error'] as const;

/** The status of a request, and in two words why it was refused. */
export function RequestStatus({ request }: { readonly request: LoggedRequest }) {
  const t = useRequestTexts();
  const { status, reason } = request;
  return (
    <span className={styles.status}>
      <Tag
        className={styles.tag ?? ''}
        color={colors[status === null ? 0 : Math.floor(status / 100) - 1] ?? 'default'}
      >
        {status ?? t('noStatus')}
      </Tag>
      {reason && (
        <Tag className={styles.tag ?? ''} color="error">
          {t(`reason.${reason}`)}
        </Tag>
      )}
    </span>
  );
}

/** How long it took. */
export function useDuration(): (request: LoggedRequest) => string {
  const t = useRequestTexts();
  return ({ duration }) => {
    if (duration < 1_000) return t('ms', { ms: duration });
    const s = Math.round(duration / 1_000);
    const m = Math.floor(s / 60);
    if (m === 0) return t('seconds', { s });
    return m < 60 ? t('minutes', { m }) : t('hours', { h: Math.floor(m / 60), m: m % 60 });
  };
}
