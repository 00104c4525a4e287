import { Button } from '@talpa/panel-kit/ui';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

/** Saves all tabs; while something is not saved it says so and offers to discard it. */
export function SaveBar(props: {
  readonly isDirty: boolean;
  readonly pending: boolean;
  readonly onDiscard: () => void;
}) {
  const t = useSettingsTexts();
  return (
    <div className={styles.bar}>
      <span className={styles.unsaved} role="status">
        {props.isDirty && t('unsaved')}
      </span>
      <span className={styles.saving}>
        {props.isDirty && (
          <Button disabled={props.pending} onClick={props.onDiscard}>
            {t('discard')}
          </Button>
        )}
        <Button type="primary" htmlType="submit" loading={props.pending}>
          {t('save')}
        </Button>
      </span>
    </div>
  );
}
