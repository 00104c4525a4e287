import type { Identity, User } from '@talpa/contracts';
import { adminFactorQuery, adminIdentitiesQuery, formatDate } from '@talpa/panel-kit/core';
import { Alert, Awaited, Button, Facts, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { useUserFacts } from '../users/user-facts.tsx';
import styles from './user.module.css';

const nameOf = ({ provider, issuer, name }: Identity) =>
  `${provider?.label ?? new URL(issuer).host}: ${name}`;

/** What a user is and has; above it, why they are suspended. */
export function FactsPanel(props: { readonly user: User; readonly onChangeReason: () => void }) {
  const t = useAdminTexts();
  const { user } = props;
  const { tier, expiry } = useUserFacts();
  const { suspension } = user;
  const { data: factor, isError, isLoading } = useQuery(adminFactorQuery(user.id));
  const linked = useQuery(adminIdentitiesQuery(user.id));
  const identities = linked.data ?? [];
  const { authenticator = null, recoveryCodesLeft } = factor ?? {};
  const since = authenticator && (formatDate(authenticator.addedAt, 'de') ?? '');
  const absent = factor ? t('user.factor.off') : isError ? t('user.factor.unknown') : '…';
  const facts = [
    [t('users.column.id'), user.id],
    [t('users.column.tier'), tier(user)],
    [t('users.column.limit'), user.proxyLimit],
    [t('users.column.expiry'), expiry(user)],
    [t('user.factor'), since ? t('user.factor.on', { since }) : absent],
    ...(factor?.passkeys ? [[t('user.passkeys'), factor.passkeys] as const] : []),
    ...(factor?.hasPassword === false ? [[t('user.password'), t('user.password.none')] as const] : []),
    ...(identities.length > 0 ? [[t('user.identities'), identities.map(nameOf).join(', ')] as const] : []),
    ...(since ? [[t('user.factor.codes'), recoveryCodesLeft] as const] : []),
  ] as const;
  return (
    <>
      {suspension && (
        <Alert
          type="error"
          showIcon
          title={t('user.suspended', { since: formatDate(suspension.since, 'de') ?? '' })}
          description={
            <p className={styles.reason}>{t('user.suspended.reason', { reason: suspension.reason })}</p>
          }
          action={
            <Button size="small" onClick={props.onChangeReason}>
              {t('user.changeReason')}
            </Button>
          }
        />
      )}
      <Panel title={t('user.facts')}>
        <Facts facts={facts} as="tiles" />
        {(isLoading || linked.isLoading) && <Awaited />}
      </Panel>
    </>
  );
}
