import type { AuditRow } from '@talpa/contracts';
import { useAuditChanges } from '@talpa/panel-kit/audit';
import { formatMoment } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import type { ReactNode } from 'react';
import { userPath } from '../paths.ts';
import styles from './audit.module.css';
import { addressOf } from './filter.ts';
import { useAuditPageTexts } from './texts.ts';

/** Everything a row holds. */
export function AuditDetails({ row }: { readonly row: AuditRow }) {
  const t = useAuditPageTexts();
  const { actor, origin, subjectUserId, target } = row;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('details.at'), formatMoment(row.at, 'de')],
    [t('details.actor'), <Actor key="actor" row={row} />],
    [
      t('details.subject'),
      subjectUserId !== null && (
        <Link to={userPath(subjectUserId)}>{t('details.subject.user', { id: subjectUserId })}</Link>
      ),
    ],
    [t('details.address'), origin?.address],
    [t('details.device'), origin?.userAgent],
    [t('details.session'), actor?.sessionId],
    [t('details.request'), row.requestId],
  ];
  return (
    <div className={styles.details}>
      <Changes row={row} />
      <dl className={styles.facts}>
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
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

function Changes({ row }: { readonly row: AuditRow }) {
  const t = useAuditPageTexts();
  const changes = useAuditChanges()(row.changes);
  if (changes.length === 0) return null;
  return (
    <table className={styles.changes}>
      <caption>{t('details.changes')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('details.field')}</th>
          <th scope="col">{t('details.before')}</th>
          <th scope="col">{t('details.after')}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, label, from, to }) => (
          <tr key={field}>
            <th scope="row">{label}</th>
            <td>{from ?? '–'}</td>
            <td>{to ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
