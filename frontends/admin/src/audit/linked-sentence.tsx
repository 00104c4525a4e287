import type { AuditRow } from '@talpa/contracts';
import { useAuditSentence, useAuditTargetName } from '@talpa/panel-features/audit';
import { Link } from '@talpa/panel-kit/router';
import type { ReactNode } from 'react';
import { pages } from '../pages.ts';
import { userPath } from '../paths.ts';

/** Says a row in a plain sentence. */
export function useRowSentence(): (row: AuditRow) => string {
  const sentence = useAuditSentence();
  return (row) =>
    sentence({
      ...row,
      actor: row.actor ? { kind: 'user', name: row.actor.username } : { kind: 'system' },
    });
}

/** The page of what a row is about; null where there is none, or none any more. */
function targetPath({ target, action }: AuditRow): string | null {
  if (action === 'proxy.delete' || action === 'user.delete' || action === 'proxy.refuse') return null;
  if (target.kind === 'invitation') return pages.invitations.path;
  if (target.kind === 'announcement') return pages.announcements.path;
  if (target.kind === 'installationChannel') return pages.channels.path;
  if (target.kind === 'certificate') return pages.system.path;
  // Its user's alone.
  if (['channel', 'passkey', 'apiKey', 'enrolmentKey', 'identity'].includes(target.kind)) return null;
  if (target.kind === 'server') return `/servers/${target.id}`;
  return target.kind === 'proxy' ? `/tunnel-configuration/${target.id}` : userPath(target.id);
}

/** The same sentence; each user and object that it names is a link to its page. */
export function LinkedSentence({ row }: { readonly row: AuditRow }): ReactNode {
  const sentence = useRowSentence()(row);
  const targetName = useAuditTargetName();
  const { actor, target } = row;
  const name = actor?.username && /^\s/.test(sentence.replace(actor.username, '')) ? actor.username : '';
  const label = targetName(target);
  const at = sentence.indexOf(label, name.length);
  const path = targetPath(row);
  return (
    <>
      {name && actor && <Link to={userPath(actor.userId)}>{name}</Link>}
      {at < 0 || !path ? (
        sentence.slice(name.length)
      ) : (
        <>
          {sentence.slice(name.length, at)}
          <Link to={path}>{label}</Link>
          {sentence.slice(at + label.length)}
        </>
      )}
    </>
  );
}
