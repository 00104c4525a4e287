import { Button } from '@talpa/panel-kit/ui';
import styles from './settings.module.css';
import { useSettingsTexts } from './texts.ts';

/** Saves all tabs; where something is not saved yet it says so and offers the way back. */
export function SaveBar(props: {
  readonly isDirty: boolean;
  readonly pending: boolean;
  readonly onDiscard: () => void;
}) {
  const t = useSettingsTexts();
  return (
    <div className={styles.buttons}>
      <Button type="primary" htmlType="submit" loading={props.pending}>
        {t('save')}
      </Button>
      {props.isDirty && (
        <>
          <Button disabled={props.pending} onClick={props.onDiscard}>
            {t('discard')}
          </Button>
          <span className={styles.unsaved} role="status">
            {t('unsaved')}
          </span>
        </>
      )}
    </div>
  );
}
