import { Switch } from '@talpa/panel-kit/form';
import { Alert, Panel } from '@talpa/panel-kit/ui';
import styles from './settings.module.css';
import type { TabProps } from './tab.ts';
import { useSettingsTexts } from './texts.ts';

const kinds = ['email', 'system', 'maintenance'] as const;

/** Which notifications one wants, for the day they can be sent. */
export function NotificationsTab({ draft, change, onSave, bar }: TabProps) {
  const t = useSettingsTexts();
  const { notifications } = draft;
  return (
    <Panel title={t('tab.notifications')}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
        }}
      >
        <Alert type="info" showIcon title={t('notifications.later')} />
        {kinds.map((kind) => (
          <div key={kind} className={styles.choice}>
            <label htmlFor={`notify-${kind}`}>
              <strong>{t(`notify.${kind}`)}</strong>
              <br />
              {t(`notify.${kind}.text`)}
            </label>
            <Switch
              id={`notify-${kind}`}
              checked={notifications[kind]}
              onChange={(on) => change({ notifications: { ...notifications, [kind]: on } })}
            />
          </div>
        ))}
        {bar}
      </form>
    </Panel>
  );
}
