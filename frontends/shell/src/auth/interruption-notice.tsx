import { Alert } from '@talpa/panel-kit/ui';
import { interruption } from '../return.ts';
import styles from './auth-page.module.css';
import { useAuthTexts } from './texts.ts';

/** Says why the user has to sign in again, and whether something typed was lost. */
export function InterruptionNotice() {
  const t = useAuthTexts();
  const interrupted = interruption();
  if (!interrupted) return null;
  const text = t(`interrupted.${interrupted.end}.text`);
  return (
    <Alert
      className={styles.notice ?? ''}
      type="warning"
      showIcon
      role="status"
      title={t(`interrupted.${interrupted.end}`)}
      description={interrupted.lost ? `${text} ${t('interrupted.lost')}` : text}
    />
  );
}
