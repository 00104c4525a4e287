import type { ProxyInvitation } from '@talpa/contracts';
import { roleTexts } from '@talpa/contracts/role-texts';
import { ApiError, call, useApiMutation, useHeadOf, useLanguage, useToast } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { useLocation, useNavigate } from '@talpa/panel-kit/router';
import {
  Alert,
  BackLink,
  Button,
  ErrorCard,
  Facts,
  LinkButton,
  Page,
  Panel,
  Skeleton,
} from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { pages } from '../pages.ts';
import { proxyPath } from '../proxy-path.ts';
import { useUserTexts } from '../texts/user-texts.ts';
import { useInvitationFacts } from './invitation-facts.ts';
import styles from './members.module.css';
import { useMemberTexts } from './texts.ts';

/** Shows the invitation that a link is for, and accepts it. The secret follows `#`. */
export function JoinPage() {
  const t = useMemberTexts();
  const head = useHeadOf(pages.join);
  const all = useUserTexts()('proxy.back');
  const token = useLocation().hash.slice(1);
  const query = useQuery({
    // Not in the key: what is cached must not hold the secret.
    queryKey: ['/api/proxy-invitation-link'],
    queryFn: () => call('POST /api/proxy-invitation-link', { token }),
    // Nothing live outdates it: the token is sent once.
    staleTime: 'static',
    gcTime: 0,
    retry: false,
  });
  const joined = query.error instanceof ApiError ? query.error.proxyId : null;
  return (
    <Page {...head} back={<BackLink to={pages.proxies.path} text={all} />}>
      <Panel>
        {query.isPending && <Skeleton active paragraph={{ rows: 3 }} />}
        {query.error && joined === null && <ErrorCard title={t('join.failed')} error={query.error} />}
        {query.error && joined !== null && <Joined proxyId={joined} text={query.error.message} />}
        {query.data && <Invitation invitation={query.data} token={token} />}
      </Panel>
    </Page>
  );
}

/** For somebody who needs no invitation any more: the way to the proxy. */
function Joined({ proxyId, text }: { readonly proxyId: number; readonly text: string }) {
  const t = useMemberTexts();
  return (
    <>
      <Alert type="info" showIcon role="status" title={t('join.already')} description={text} />
      <div className={styles.joinActions}>
        <LinkButton to={proxyPath(proxyId)}>{t('join.open')}</LinkButton>
      </div>
    </>
  );
}

function Invitation({ invitation, token }: { readonly invitation: ProxyInvitation; readonly token: string }) {
  const t = useMemberTexts();
  const toast = useToast();
  const language = useLanguage();
  const navigate = useNavigate();
  const { mutate, isPending, error } = useApiMutation('POST /api/proxy-invitation-link/acceptance');
  const refusal = useApiMutation('POST /api/proxy-invitation-link/refusal');
  const declining = useConfirm(refusal, () => ({
    title: t('invitations.decline.ask'),
    text: t('invitations.decline.askText', { proxy: invitation.proxyName }),
    confirm: t('invitations.decline'),
    input: { token },
    done: { title: t('invitations.declined'), text: invitation.proxyName },
    failed: t('invitations.decline.failed'),
    onDone: () => navigate(pages.proxies.path, { replace: true }),
  }));
  const accept = () =>
    mutate(
      { token },
      {
        onSuccess: ({ id, serverName }) => {
          toast({ title: t('invitations.accepted'), text: serverName, tone: 'success' });
          navigate(proxyPath(id), { replace: true });
        },
        // Another tab was quicker.
        onError: ({ proxyId }) => {
          if (proxyId !== null) navigate(proxyPath(proxyId), { replace: true });
        },
      },
    );
  return (
    <>
      <h2 className={styles.joinTitle}>{invitation.proxyName}</h2>
      <Facts as="table" facts={useInvitationFacts(invitation)} />
      <p className={styles.joinText}>{t('join.text')}</p>
      {error && (
        <Alert type="error" showIcon role="alert" title={t('join.failed')} description={error.message} />
      )}
      <div className={styles.joinActions}>
        <Button
          type="primary"
          loading={isPending}
          disabled={refusal.isPending}
          aria-label={`${t('invitations.accept')}: ${roleTexts[invitation.role][language]}`}
          onClick={accept}
        >
          {t('invitations.accept')}
        </Button>
        <Button disabled={isPending} onClick={() => declining.ask()}>
          {t('invitations.decline')}
        </Button>
      </div>
      {declining.dialog}
    </>
  );
}
