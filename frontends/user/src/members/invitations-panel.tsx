import type { ProxyInvitation } from '@talpa/contracts';
import { type ApiError, proxyInvitationsQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { LongText } from '@talpa/panel-kit/table';
import { Awaited, Button, ItemRow, ItemsPanel } from '@talpa/panel-kit/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useInvitationFacts } from './invitation-facts.ts';
import { useMemberTexts } from './texts.ts';

/** What the user is invited to; nothing while there is nothing. */
export function InvitationsPanel() {
  const t = useMemberTexts();
  const query = useQuery(proxyInvitationsQuery);
  if (query.isLoading) return <Awaited />;
  if (!query.data || query.data.length === 0) return null;
  return (
    <ItemsPanel
      title={t('invitations.title')}
      text={t('invitations.text')}
      query={query}
      failed={t('failed')}
      row={(invitation) => <InvitationRow key={invitation.id} invitation={invitation} />}
    />
  );
}

function InvitationRow({ invitation }: { readonly invitation: ProxyInvitation }) {
  const t = useMemberTexts();
  const toast = useToast();
  const client = useQueryClient();
  const { id, proxyName: proxy } = invitation;
  const accept = useApiMutation('POST /api/proxy-invitations/:id/acceptance');
  const decline = useApiMutation('DELETE /api/proxy-invitations/:id');
  const outcome = (what: 'accept' | 'decline', done: 'accepted' | 'declined') => ({
    onSuccess: () => toast({ title: t(`invitations.${done}`), text: proxy, tone: 'success' }),
    onError: ({ status, message }: ApiError) => {
      // Withdrawn, lapsed, or answered in another tab: what is open now is shown then.
      void client.invalidateQueries({ queryKey: proxyInvitationsQuery.queryKey });
      const text = status === 404 ? t('invitations.gone') : message;
      toast({ title: t(`invitations.${what}.failed`), text, tone: 'error' });
    },
  });
  const isBusy = accept.isPending || decline.isPending;
  return (
    <ItemRow
      id={id}
      icon={<Mail size={19} aria-hidden />}
      head={
        <strong>
          <LongText text={proxy} />
        </strong>
      }
      facts={useInvitationFacts(invitation)}
      actions={
        <>
          <Button
            type="primary"
            size="small"
            aria-label={t('invitations.accept.of', { proxy })}
            loading={accept.isPending}
            disabled={isBusy}
            onClick={() => accept.mutate({ id }, outcome('accept', 'accepted'))}
          >
            {t('invitations.accept')}
          </Button>
          <Button
            size="small"
            aria-label={t('invitations.decline.of', { proxy })}
            loading={decline.isPending}
            disabled={isBusy}
            onClick={() => decline.mutate({ id }, outcome('decline', 'declined'))}
          >
            {t('invitations.decline')}
          </Button>
        </>
      }
    />
  );
}
