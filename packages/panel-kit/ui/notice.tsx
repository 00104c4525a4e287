import { Button } from 'antd';
import { RefreshCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../core/api/api-error.ts';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import styles from './notice.module.css';
import { Spinner } from './spinner.tsx';

/** Nothing is here yet: why, and what to do. */
export function EmptyState(props: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text?: string;
  readonly action?: ReactNode;
}) {
  return (
    <div className={styles.notice}>
      <div className={styles.icon}>{props.icon}</div>
      <p className={styles.title}>{props.title}</p>
      {props.text && <p className={styles.text}>{props.text}</p>}
      {props.action && <div className={styles.action}>{props.action}</div>}
    </div>
  );
}

/** Something could not be fetched or shown: what, why, and the way to try again. */
export function ErrorCard(props: {
  readonly title?: string;
  readonly text?: string;
  readonly error?: unknown;
  readonly retry?: (() => void) | undefined;
  readonly retrying?: boolean;
  readonly retryLabel?: string;
  /** It stands in the place of a whole page: its title is the page's heading. */
  readonly isPage?: boolean;
}) {
  const t = useKitTexts();
  const Title = props.isPage ? 'h1' : 'p';
  const known = props.error instanceof ApiError ? props.error : null;
  const text = props.text ?? known?.message;
  return (
    <div className={styles.notice} role="alert">
      <div className={`${styles.icon} ${styles.bad}`}>
        <TriangleAlert size={22} aria-hidden />
      </div>
      <Title className={styles.title}>{props.title ?? t('error.title')}</Title>
      {text && <p className={styles.text}>{text}</p>}
      {known?.requestId && <p className={styles.detail}>{t('error.requestId', { id: known.requestId })}</p>}
      {props.retry && (
        <div className={styles.action}>
          <Button
            onClick={props.retry}
            loading={props.retrying ?? false}
            icon={<RefreshCw size={15} aria-hidden />}
          >
            {props.retryLabel ?? t('error.retry')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Shows that something is being loaded, to screen readers too. */
export function Loading({ text }: { readonly text?: string }) {
  const t = useKitTexts();
  return (
    <div className={styles.loading} role="status" data-loading>
      <Spinner size={28} />
      <span>{text ?? t('loading')}</span>
    </div>
  );
}
