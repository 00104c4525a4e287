import type { User } from '@talpa/contracts';
import { adminFactorQuery, useApiMutation, useUser } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { useNavigate } from '@talpa/panel-kit/router';
import { Awaited, Button, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { pages } from '../pages.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { useLiftSuspension } from '../users/suspend-user-dialog.tsx';
import { useDeleteUser } from '../users/use-delete-user.ts';
import styles from './user.module.css';
import type { UserDialog } from './user-dialog.ts';

interface Deed {
  readonly text: string;
  readonly hint: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
  readonly danger?: boolean;
}

/** What hurts a user, or lets others in: a link for a new password, the end of their sessions, the removal of their second factor, their suspension, their deletion. */
export function DangerPanel(props: { readonly user: User; readonly onDialog: (dialog: UserDialog) => void }) {
  const t = useAdminTexts();
  const { user, onDialog } = props;
  const isMe = useUser().id === user.id;
  const { data: factor, isLoading } = useQuery(adminFactorQuery(user.id));
  const navigate = useNavigate();
  const sessions = useEndSessions(user, isMe);
  const removal = useRemoveFactor(user);
  const lifting = useLiftSuspension();
  const deletion = useDeleteUser({ onDone: () => void navigate(pages.users.path, { replace: true }) });
  const deeds: readonly Deed[] = [
    {
      text: t('user.resetLink'),
      hint: t('user.resetLink.hint'),
      onClick: () => onDialog('resetLink'),
    },
    {
      text: t('user.sessions'),
      hint: isMe ? t('user.sessions.ownHint') : t('user.sessions.hint'),
      onClick: () => sessions.ask(),
    },
    ...(factor && (factor.authenticator || factor.passkeys > 0)
      ? [
          {
            text: t('user.removeFactor'),
            hint: t(isMe ? 'user.removeFactor.self' : 'user.removeFactor.hint'),
            onClick: () => removal.ask(),
            disabled: isMe,
          },
        ]
      : []),
    user.suspension
      ? { text: t('users.lift'), hint: t('user.lift.hint'), onClick: () => lifting.ask(user) }
      : {
          text: t('users.suspend'),
          hint: isMe ? t('users.suspend.self') : t('user.suspend.hint'),
          onClick: () => onDialog('suspend'),
          disabled: isMe,
        },
    {
      text: t('delete'),
      hint: isMe ? t('users.delete.self') : t('user.delete.hint'),
      onClick: () => deletion.ask(user),
      disabled: isMe,
      danger: true,
    },
  ];
  return (
    <Panel title={t('user.danger')} danger flush>
      {isLoading && <Awaited />}
      <ul className={styles.deeds}>
        {deeds.map(({ text, hint, ...rest }) => (
          <li key={text}>
            <p>{hint}</p>
            <Button type={rest.danger ? 'primary' : 'default'} {...rest}>
              {text}
            </Button>
          </li>
        ))}
      </ul>
      {sessions.dialog}
      {removal.dialog}
      {lifting.dialog}
      {deletion.dialog}
    </Panel>
  );
}

/** Signs a user out everywhere after a question; oneself everywhere else. */
function useEndSessions({ id, username: name }: User, isMe: boolean) {
  const t = useAdminTexts();
  return useConfirm(useApiMutation('DELETE /api/admin/users/:id/sessions'), () => ({
    title: t('sessions.title'),
    text: isMe ? t('sessions.textOwn') : t('sessions.text', { name }),
    confirm: t('sessions.confirm'),
    input: { id },
    done: {
      title: t('sessions.done'),
      text: isMe ? t('sessions.doneTextOwn') : t('sessions.doneText', { name }),
    },
    failed: t('sessions.failed'),
  }));
}

/** Removes app and passkeys of somebody who has lost them. */
function useRemoveFactor({ id, username: name }: User) {
  const t = useAdminTexts();
  return useConfirm(useApiMutation('DELETE /api/admin/users/:id/second-factor'), () => ({
    title: t('factor.title'),
    text: t('factor.text', { name }),
    confirm: t('factor.confirm'),
    input: { id },
    done: { title: t('factor.done'), text: t('factor.doneText', { name }) },
    failed: t('factor.failed'),
  }));
}
