import { Switch } from '@talpa/panel-kit/form';
import { Alert, Panel } from '@talpa/panel-kit/ui';
import styles from './settings.module.css';
import type { TabProps } from './tab.ts';
import { useSettingsTexts } from './texts.ts';

const kinds = ['email', 'system', 'maintenance'] as const;

/** Which notifications somebody wants. */
export function NotificationsTab({ draft, change, onSave, bar }: TabProps) {
  const t = useSettingsTexts();
  const { notifications } = draft;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
    >
      <Panel title={t('tab.notifications')} footer={bar}>
        <p className={styles.text}>{t('notifications.where')}</p>
        <Alert type="info" showIcon title={t('notifications.later')} />
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
        </div>
      </Panel>
    </form>
  );
}
