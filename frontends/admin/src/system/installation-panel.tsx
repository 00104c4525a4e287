import {
  formatBytes,
  formatTime,
  mailSetUpQuery,
  panelConfig,
  storageQuery,
  systemQuery,
} from '@talpa/panel-kit/core';
import { type Fact, Facts, Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import styles from './system.module.css';
import { useSystemTexts } from './texts.ts';

/** What runs here; what cannot be known now is a dash. */
export function InstallationPanel() {
  const t = useSystemTexts();
  const { version, edge, tunnelDomain } = panelConfig();
  const { data: mail } = useQuery(mailSetUpQuery);
  const { data: storage } = useQuery(storageQuery);
  const { data: system } = useQuery(systemQuery);
  const backup = system && (system.lastBackupAt ? formatTime(system.lastBackupAt, 'de') : t('backup.never'));
  const free =
    storage &&
    t(storage.isShort ? 'storage.short' : 'storage.free', {
      free: formatBytes(storage.freeBytes, 'de'),
      reserve: formatBytes(storage.reserveBytes, 'de'),
    });
  const facts: readonly Fact[] = [
    [t('version'), version],
    [t('domain'), tunnelDomain],
    [t('connectors'), edge?.address ?? t('connectors.elsewhere')],
    [t('mail'), mail ? (mail.from ?? t('mail.none')) : t('none')],
    [t('storage'), storage === null ? t('storage.unwatched') : (free ?? t('none'))],
    [t('backup'), backup ?? t('none')],
  ];
  return (
    <Panel title={t('installation')} className={styles.installation}>
      <Facts facts={facts} as="tiles" />
      <p className={styles.below}>{t('version.newer')}</p>
    </Panel>
  );
}
