import { Alert, LinkButton } from '@talpa/panel-kit/ui';
import { authPath } from '../paths.ts';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './auth-page.module.css';

/** Why a link that works once does not count, and where to go. */
export function UselessLink({ why }: { readonly why: string }) {
  const t = useShellTexts();
  return (
    <>
      <Alert type="error" showIcon title={t('reset.useless')} description={why} role="alert" />
      <div className={styles.actions}>
        <LinkButton to={authPath}>{t('reset.toLogin')}</LinkButton>
      </div>
    </>
  );
}
