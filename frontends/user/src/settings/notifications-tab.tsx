import type { Preferences } from '@talpa/contracts';
import { Form, Switch } from '@talpa/panel-kit/form';
import { Alert, Button } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './settings.module.css';
import { useSavePreferences } from './use-save.ts';

const kinds = ['email', 'system', 'maintenance'] as const;

/** Which notifications one wants, for the day they can be sent. */
export function NotificationsTab({ preferences }: { readonly preferences: Preferences }) {
  const t = useUserTexts();
  const { save, isPending } = useSavePreferences();
  return (
    <Form
      className={styles.form ?? ''}
      initialValues={preferences.notifications}
      onFinish={(notifications: Preferences['notifications']) => save({ ...preferences, notifications })}
    >
      <Alert type="info" showIcon title={t('settings.notifications.later')} />
      {kinds.map((kind) => (
        <div key={kind} className={styles.choice}>
          <label htmlFor={`notify-${kind}`}>
            <strong>{t(`settings.notify.${kind}`)}</strong>
            <br />
            {t(`settings.notify.${kind}.text`)}
          </label>
          <Form.Item name={kind} valuePropName="checked" noStyle>
            <Switch id={`notify-${kind}`} />
          </Form.Item>
        </div>
      ))}
      <Button type="primary" htmlType="submit" loading={isPending}>
        {t('settings.save')}
      </Button>
    </Form>
  );
}
