import type { User } from '@talpa/contracts';
import { adminFactorQuery, useUser } from '@talpa/panel-kit/core';
import { Button, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useAdminTexts } from '../texts/admin-texts.ts';
import styles from './person.module.css';
import type { PersonDialog } from './person-dialog.ts';

interface Deed {
  readonly dialog: PersonDialog;
  readonly text: string;
  readonly hint: string;
  readonly disabled?: boolean;
  readonly danger?: boolean;
}

/** What hurts a user, or lets others in: a link for a new password, the end of their sessions, the removal of their second factor, their suspension, their deletion. */
export function DangerPanel(props: {
  readonly user: User;
  readonly onDialog: (dialog: PersonDialog) => void;
}) {
  const t = useAdminTexts();
  const isMe = useUser().id === props.user.id;
  const { data: factor } = useQuery(adminFactorQuery(props.user.id));
  const deeds: readonly Deed[] = [
    { dialog: 'resetLink', text: t('person.resetLink'), hint: t('person.resetLink.hint') },
    {
      dialog: 'sessions',
      text: t('person.sessions'),
      hint: isMe ? t('person.sessions.ownHint') : t('person.sessions.hint'),
    },
    ...(factor && (factor.authenticator || factor.passkeys > 0)
      ? [
          {
            dialog: 'factor' as const,
            text: t('person.removeFactor'),
            hint: t(isMe ? 'person.removeFactor.self' : 'person.removeFactor.hint'),
            disabled: isMe,
          },
        ]
      : []),
    props.user.suspension
      ? { dialog: 'lift', text: t('users.lift'), hint: t('person.lift.hint') }
      : {
          dialog: 'suspend',
          text: t('users.suspend'),
          hint: isMe ? t('users.suspend.self') : t('person.suspend.hint'),
          disabled: isMe,
        },
    {
      dialog: 'delete',
      text: t('delete'),
      hint: isMe ? t('users.delete.self') : t('person.delete.hint'),
      disabled: isMe,
      danger: true,
    },
  ];
  return (
    <Panel title={t('person.danger')} danger flush>
      <ul className={styles.deeds}>
        {deeds.map(({ dialog, text, hint, ...rest }) => (
          <li key={dialog}>
            <p>{hint}</p>
            <Button
              type={rest.danger ? 'primary' : 'default'}
              {...rest}
              onClick={() => props.onDialog(dialog)}
            >
              {text}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
