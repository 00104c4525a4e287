import type { Preferences, QuietHours } from '@talpa/contracts';
import { deviceTimeZone } from '@talpa/panel-kit/core';
import { Input, Switch } from '@talpa/panel-kit/form';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

const first = () => ({ from: '22:00', to: '07:00', timeZone: deviceTimeZone() });
const ends = ['from', 'to'] as const;

/** The hours in which a user gets no emails. */
export function QuietHoursChoice(props: {
  readonly notifications: Preferences['notifications'];
  readonly change: (quietHours: QuietHours | undefined) => void;
}) {
  const t = useSettingsTexts();
  const { quietHours } = props.notifications;
  return (
    <div className={styles.choice}>
      <Switch
        id="notify-quiet"
        checked={quietHours !== undefined}
        onChange={(on) => props.change(on ? first() : undefined)}
      />
      <div className={styles.quiet}>
        <label htmlFor="notify-quiet">
          <strong>{t('quiet')}</strong>
          <br />
          {t('quiet.text')}
        </label>
        {quietHours && (
          <>
            <div className={styles.times}>
              {ends.map((end) => (
                <span key={end}>
                  <label htmlFor={`quiet-${end}`}>{t(`quiet.${end}`)}</label>
                  <Input
                    id={`quiet-${end}`}
                    type="time"
                    value={quietHours[end]}
                    // Emptied, it is no time.
                    onChange={({ target: { value } }) =>
                      value && props.change({ ...quietHours, [end]: value, timeZone: deviceTimeZone() })
                    }
                  />
                </span>
              ))}
            </div>
            <span>{t('quiet.zone', { zone: quietHours.timeZone })}</span>
          </>
        )}
      </div>
    </div>
  );
}
