import { dismissAccountSwitch, useAccountSwitch, useUser } from '@talpa/panel-kit/core';
import { Alert } from '@talpa/panel-kit/ui';
import { useShellTexts } from '../texts/shell-texts.ts';
import styles from './layout.module.css';

/** Says that another tab has signed another account in, and which; until somebody closes it. */
export function AccountNotice() {
  const t = useShellTexts();
  const { username: name } = useUser();
  const change = useAccountSwitch();
  if (!change) return null;
  return (
    <Alert
      className={styles.notice ?? ''}
      type="warning"
      showIcon
      role="alert"
      title={t('account.changed', { name })}
      description={t(change.lost ? 'account.changed.lost' : 'account.changed.text')}
      closable={{ 'aria-label': t('account.changed.close'), onClose: dismissAccountSwitch }}
    />
  );
}
