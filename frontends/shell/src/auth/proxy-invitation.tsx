import { roleTexts } from '@talpa/contracts/role-texts';
import { call, useApiMutation, useLanguage } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { forgetReturn, invitationToken } from '../return.ts';
import styles from './auth-page.module.css';
import { useAuthTexts } from './texts.ts';

/** The invitation to a proxy whose link led here; null: none did. Fetched once, and kept in no cache. */
export function useProxyInvitation() {
  const [token] = useState(invitationToken);
  const { data, error, isPending } = useQuery({
    // Not in the key: what is cached must not hold the secret.
    queryKey: ['/api/proxy-invitation-link'],
    queryFn: () => call('POST /api/proxy-invitation-link', { token: token ?? '' }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return token === null ? null : { token, invitation: data, error, isPending };
}

/** Says what one is invited to before one signs in, and lets one decline. */
export function ProxyInvitationNotice({
  link: { token, invitation, error },
}: {
  readonly link: NonNullable<ReturnType<typeof useProxyInvitation>>;
}) {
  const t = useAuthTexts();
  const language = useLanguage();
  const decline = useApiMutation('POST /api/proxy-invitation-link/refusal');
  const declining = useConfirm(decline, () => ({
    title: t('proxyInvitation.decline.ask'),
    text: t('proxyInvitation.decline.askText', { proxy: invitation?.proxyName ?? '' }),
    confirm: t('proxyInvitation.decline'),
    input: { token },
    failed: t('proxyInvitation.decline.failed'),
    onDone: forgetReturn,
  }));
  if (decline.isSuccess)
    return (
      <Alert
        className={styles.notice ?? ''}
        type="success"
        showIcon
        role="status"
        title={t('proxyInvitation.declined')}
      />
    );
  if (error || !invitation)
    return (
      <Alert
        className={styles.notice ?? ''}
        type="warning"
        showIcon
        role="alert"
        title={t('proxyInvitation.failed')}
        description={error?.message}
      />
    );
  const { proxyName: proxy, ownerName, role } = invitation;
  const owner = ownerName ?? t('proxyInvitation.somebody');
  return (
    <Alert
      className={styles.notice ?? ''}
      type="info"
      showIcon
      title={t('proxyInvitation.title', { proxy })}
      description={
        <>
          <p className={styles.line}>
            {t('proxyInvitation.text', { owner, role: roleTexts[role][language] })}
          </p>
          <Button
            size="small"
            aria-label={t('proxyInvitation.decline.of', { proxy })}
            onClick={() => declining.ask()}
          >
            {t('proxyInvitation.decline')}
          </Button>
          {declining.dialog}
        </>
      }
    />
  );
}
