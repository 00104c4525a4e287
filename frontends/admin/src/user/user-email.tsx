import { adminUserEmailQuery } from '@talpa/panel-kit/core';
import { Loading, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './user.module.css';

/** A user's addresses: the one that counts, and one that waits to be verified. */
export function UserEmail({ userId }: { readonly userId: number }) {
  const t = useAdminTexts();
  const { data, isError } = useQuery({ ...adminUserEmailQuery(userId), refetchOnMount: 'always' });
  if (!data && isError) return t('user.email.failed');
  if (!data) return <Loading />;
  const { verified, unverified, undeliverable } = data;
  const shown = [
    ...(verified === null ? [] : [{ state: 'verified' as const, color: 'success', address: verified }]),
    ...(unverified === null ? [] : [{ state: 'unverified' as const, color: 'warning', address: unverified }]),
  ];
  if (shown.length === 0) return t('user.email.none');
  return (
    <ul className={styles.emails}>
      {shown.map(({ state, color, address }) => (
        <li key={state}>
          <span>{address}</span>
          <Tag color={color}>{t(`user.email.${state}`)}</Tag>
          {undeliverable.includes(state) && <Tag color="error">{t('user.email.undeliverable')}</Tag>}
        </li>
      ))}
    </ul>
  );
}
