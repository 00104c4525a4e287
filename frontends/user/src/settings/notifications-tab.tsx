import { channelsQuery, lazyPage, ownChannelsQuery, ownEmailQuery, panelConfig } from '@talpa/panel-kit/core';
import { Switch } from '@talpa/panel-kit/form';
import { Alert, Awaited, LazyPart, LinkButton, Panel, Skeleton } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { QuietHoursChoice } from './quiet-hours.tsx';
import styles from './settings.module.css';
import type { TabProps } from './tab.ts';
import { useSettingsTexts } from './texts.ts';

/** Loaded after the page, so that the page shows sooner. */
const OwnChannels = lazyPage(() => import('./own-channels.tsx').then((loaded) => loaded.OwnChannels));

const kinds = ['email', 'system', 'maintenance'] as const;

/** Loads the tab's code before it is opened, so that it opens without a connection, too. */
export const loadNotificationsTab = OwnChannels.loadAhead;

/** Which notifications somebody wants. */
export function NotificationsTab({ draft, change, onSave, bar }: TabProps) {
  const t = useSettingsTexts();
  const { notifications } = draft;
  const { data: channels, isLoading } = useQuery(ownChannelsQuery);
  const hasChannels = channels !== undefined && channels.length > 0;
  return (
    <div className={styles.stack}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        <Panel label={t('tab.notifications')} footer={bar}>
          <p className={styles.text}>
            {t(panelConfig().sendsEmail ? 'notifications.where' : 'notifications.inPanel')}
          </p>
          {notifications.email && <NoEmailNotice />}
          <div className={styles.choices}>
            {kinds.map((kind) => (
              <div key={kind} className={styles.choice}>
                <Switch
                  id={`notify-${kind}`}
                  checked={notifications[kind]}
                  onChange={(on) => change({ notifications: { ...notifications, [kind]: on } })}
                />
                <label htmlFor={`notify-${kind}`}>
                  <strong>{t(`notify.${kind}`)}</strong>
                  <br />
                  {t(`notify.${kind}.text`)}
                </label>
              </div>
            ))}
            {!notifications.email && isLoading && <Awaited />}
            {(notifications.email || hasChannels) && (
              <QuietHoursChoice
                notifications={notifications}
                change={(quietHours) => {
                  const { quietHours: _before, ...others } = notifications;
                  change({ notifications: { ...others, ...(quietHours ? { quietHours } : {}) } });
                }}
              />
            )}
          </div>
        </Panel>
      </form>
      <LazyPart
        fallback={
          <Panel>
            <Skeleton active paragraph={{ rows: 2 }} />
          </Panel>
        }
      >
        <OwnChannels />
      </LazyPart>
    </div>
  );
}

/** Why a user with emails turned on gets none. */
function NoEmailNotice() {
  const t = useSettingsTexts();
  const { data: channels, isLoading } = useQuery(channelsQuery);
  const { data: address, isLoading: isAddressLoading } = useQuery(ownEmailQuery);
  if (isLoading || isAddressLoading) return <Awaited />;
  if (channels?.email === false)
    return (
      <Alert
        className={styles.notice ?? ''}
        type="warning"
        showIcon
        title={t('notify.email.off')}
        description={t('notify.email.offText')}
      />
    );
  if (address?.verified !== null) return null;
  return (
    <Alert
      className={styles.notice ?? ''}
      type="warning"
      showIcon
      title={t('notify.email.needed')}
      description={t(address.unverified === null ? 'notify.email.neededText' : 'notify.email.unverifiedText')}
      action={<LinkButton to="/settings">{t('notify.email.toAddress')}</LinkButton>}
    />
  );
}
