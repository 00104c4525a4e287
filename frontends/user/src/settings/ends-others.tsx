import { secondFactorQuery } from '@talpa/panel-kit/core';
import { useQuery } from '@tanstack/react-query';
import styles from './second-factor.module.css';
import { useSettingsTexts } from './texts.ts';

/** Says in the dialog of a user's first factor that it ends their other sessions. */
export function EndsOthers() {
  const t = useSettingsTexts();
  const { data } = useQuery(secondFactorQuery);
  const isFirst = data?.authenticator === null && data.passkeys === 0;
  return isFirst && <p className={styles.text}>{t('factor.endsOthers')}</p>;
}
