import { pageQuery } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { RowList } from '@talpa/panel-kit/table';
import { EmptyState, ErrorCard, Facts, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { useMailRows } from '../mails/mail-rows.tsx';
import { useMailTexts } from '../mails/texts.ts';
import { useMailDialog } from '../mails/use-mail-dialog.tsx';
import { mailsOfPath } from '../paths.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './user.module.css';
import { UserEmail } from './user-email.tsx';

const shown = 5;

/** Where a user gets emails, the newest of them, and what has become of them. */
export function UserMails({ userId }: { readonly userId: number }) {
  const t = useAdminTexts();
  const mailTexts = useMailTexts();
  const mails = useQuery(pageQuery('GET /api/admin/mails', { userId, limit: shown }, { language: 'de' }));
  const { onShow, onSendAgain, dialog } = useMailDialog();
  const shape = useMailRows({ withoutUser: true, onShow, onSendAgain });
  return (
    <Panel title={t('user.mails')} extra={<Link to={mailsOfPath(userId)}>{t('user.mails.all')}</Link>} flush>
      <div className={styles.addresses}>
        <Facts facts={[[t('user.email'), <UserEmail key="email" userId={userId} />]]} as="table" />
      </div>
      {mails.isPending && <Skeleton active className={styles.skeleton ?? ''} paragraph={{ rows: 3 }} />}
      {mails.isError && (
        <ErrorCard
          title={mailTexts('loadFailed')}
          error={mails.error}
          retry={() => void mails.refetch()}
          retrying={mails.isFetching}
        />
      )}
      {mails.data?.rows.length === 0 && (
        <EmptyState icon={<Mail size={22} aria-hidden />} title={t('user.mails.empty')} />
      )}
      {mails.data && mails.data.rows.length > 0 && <RowList shape={shape} rows={mails.data.rows} />}
      {dialog}
    </Panel>
  );
}
