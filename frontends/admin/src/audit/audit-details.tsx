import type { AuditRow } from '@talpa/contracts';
import { useDeviceText } from '@talpa/panel-features/audit';
import { formatMoment } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { type Fact, Facts } from '@talpa/panel-kit/ui';
import { userPath } from '../paths.ts';
import styles from './audit.module.css';
import { ChangeList, useRowChanges } from './changes.tsx';
import { addressOf } from './filter.ts';
import { useAuditPageTexts } from './texts.ts';

/** Everything a row holds. */
export function AuditDetails({ row }: { readonly row: AuditRow }) {
  const t = useAuditPageTexts();
  const device = useDeviceText();
  const { actor, client, target } = row;
  const apiKey = actor?.apiKey;
  const userAgent = client?.userAgent;
  const facts: readonly Fact[] = [
    [t('details.at'), formatMoment(row.at, 'de')],
    [t('details.actor'), <Actor key="actor" row={row} />],
    [t('details.subject'), <Subject key="subject" row={row} />],
    [t('details.address'), client?.address],
    [
      t('details.device'),
      userAgent && (
        <>
          {device(userAgent)}
          {device(userAgent) !== userAgent && <span className={styles.raw}>{userAgent}</span>}
        </>
      ),
    ],
    [t('details.session'), actor?.sessionId],
    [t('details.apiKey'), apiKey && (apiKey.name ?? t('details.apiKeyNumber', { id: apiKey.id }))],
    [t('details.request'), row.requestId],
  ];
  return (
    <div className={styles.details}>
      <Changes row={row} />
      <Facts facts={facts} as="table" />
      <p className={styles.more}>
        {actor && <Link to={addressOf({ actor: actor.userId })}>{t('details.byActor')}</Link>}
        <Link to={addressOf({ targetKind: target.kind, targetId: target.id })}>{t('details.byTarget')}</Link>
      </p>
    </div>
  );
}

function Actor({ row: { actor } }: { readonly row: AuditRow }) {
  const t = useAuditPageTexts();
  if (!actor) return t('details.actor.system');
  const { userId, username, isAdmin } = actor;
  if (username === null) return t('details.actor.gone', { id: userId });
  return (
    <Link to={userPath(userId)}>{isAdmin ? t('details.actor.admin', { name: username }) : username}</Link>
  );
}

/** Whose data it concerns, by name. */
function Subject({ row: { subjectUserId: id, subjectUsername: name } }: { readonly row: AuditRow }) {
  const t = useAuditPageTexts();
  if (id === null) return t('details.subject.none');
  return name === null ? t('details.actor.gone', { id }) : <Link to={userPath(id)}>{name}</Link>;
}

function Changes({ row }: { readonly row: AuditRow }) {
  const t = useAuditPageTexts();
  // The others stand in the row.
  const { others } = useRowChanges(row);
  if (others.length === 0) return null;
  return (
    <div>
      <h4 className={styles.changesTitle}>{t('details.changes')}</h4>
      <ChangeList changes={others} />
    </div>
  );
}
