import type { User } from '@talpa/contracts';
import { ApiError, adminUserQuery, useHeadOf, useUser } from '@talpa/panel-kit/core';
import { useLocation, useParams } from '@talpa/panel-kit/router';
import { BackLink, Button, EmptyState, ErrorCard, Page, Panel, Skeleton, Tag } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Pencil, UserRound } from 'lucide-react';
import { useState } from 'react';
import { pages } from '../pages.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { EditUserDialog } from '../users/edit-user-dialog.tsx';
import { SuspendUserDialog } from '../users/suspend-user-dialog.tsx';
import { RoleTag } from '../users/user-facts.tsx';
import { DangerPanel } from './danger-panel.tsx';
import { FactsPanel } from './facts-panel.tsx';
import { ResetLinkDialog } from './reset-link-dialog.tsx';
import styles from './user.module.css';
import { UserApiKeys } from './user-api-keys.tsx';
import { UserAudit } from './user-audit.tsx';
import type { UserDialog } from './user-dialog.ts';
import { UserMails } from './user-mails.tsx';
import { UserProxies } from './user-proxies.tsx';

const listPath = pages.users.path;

/** One user: their account, their proxies, what happened, and what an administrator may do about them. */
export function UserPage() {
  const t = useAdminTexts();
  const head = useHeadOf(pages.user);
  const { id = '' } = useParams();
  const user = useQuery(adminUserQuery(Number(id)));
  const isMissing = user.error instanceof ApiError && [400, 404].includes(user.error.status);
  if (isMissing)
    return (
      <Page {...head}>
        <Panel flush>
          <EmptyState
            icon={<UserRound size={22} aria-hidden />}
            title={t('user.missing')}
            text={t('user.missing.text')}
            action={<Back />}
          />
        </Panel>
      </Page>
    );
  if (user.data) return <Shown key={user.data.id} user={user.data} />;
  return (
    <Page {...head} back={<Back />}>
      <Panel flush>
        {user.isError ? (
          <ErrorCard
            title={t('user.loadFailed')}
            error={user.error}
            retry={() => void user.refetch()}
            retrying={user.isFetching}
          />
        ) : (
          <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 6 }} />
        )}
      </Panel>
    </Page>
  );
}

function Back() {
  const t = useAdminTexts();
  return <BackLink to={listPath} text={t('user.back')} />;
}

function Shown({ user }: { readonly user: User }) {
  const t = useAdminTexts();
  const isMe = useUser().id === user.id;
  const { hash } = useLocation();
  const [dialog, setDialog] = useState<UserDialog | null>(hash === '#edit' ? 'edit' : null);
  const about = (one: UserDialog) => ({ open: dialog === one, user, onClose: () => setDialog(null) });
  return (
    <Page
      title={user.username}
      back={<Back />}
      status={
        <span className={styles.tags}>
          <RoleTag user={user} />
          {isMe && <Tag>{t('users.you')}</Tag>}
          {user.suspension && <Tag color="error">{t('users.suspended')}</Tag>}
        </span>
      }
      actions={
        <Button icon={<Pencil size={15} aria-hidden />} onClick={() => setDialog('edit')}>
          {t('edit')}
        </Button>
      }
    >
      <FactsPanel user={user} onChangeReason={() => setDialog('suspend')} />
      <UserProxies userId={user.id} />
      <UserApiKeys userId={user.id} />
      <UserMails userId={user.id} />
      <UserAudit userId={user.id} />
      <DangerPanel user={user} onDialog={setDialog} />
      <EditUserDialog {...about('edit')} />
      <SuspendUserDialog {...about('suspend')} />
      <ResetLinkDialog {...about('resetLink')} />
    </Page>
  );
}
