import type { LoggedMail, MailState } from '@talpa/contracts';
import { Link } from '@talpa/panel-kit/router';
import { Tag } from '@talpa/panel-kit/ui';
import { userPath } from '../paths.ts';
import { useMailTexts } from './texts.ts';

const colors: Readonly<Record<MailState, string>> = {
  queued: 'processing',
  sending: 'processing',
  sent: 'success',
  refused: 'error',
  dead_letter: 'error',
  kept: 'default',
  no_address: 'default',
  outdated: 'default',
  held: 'warning',
};

/** What has become of an email, as a word. */
export function MailStateTag({ state }: { readonly state: MailState }) {
  const t = useMailTexts();
  return <Tag color={colors[state]}>{t(`state.${state}`)}</Tag>;
}

/** To whom an email goes. */
export function Recipient({ mail: { userId, username } }: { readonly mail: LoggedMail }) {
  const t = useMailTexts();
  return <Link to={userPath(userId)}>{username ?? t('unknownUser', { id: userId })}</Link>;
}

/** How an email is called where it does not stand in a list. */
export function useMailName() {
  const t = useMailTexts();
  return ({ kind, username, userId }: LoggedMail) =>
    t('name', { kind: t(`kind.${kind}`), user: username ?? t('unknownUser', { id: userId }) });
}
