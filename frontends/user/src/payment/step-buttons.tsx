import { Button } from '@talpa/panel-kit/ui';
import styles from './payment.module.css';

/** The way back and the way on, at the end of a step. */
export function StepButtons(props: {
  readonly back: string;
  readonly onBack: () => void;
  readonly next: string;
  readonly onNext?: () => void;
}) {
  return (
    <div className={styles.buttons}>
      <Button onClick={props.onBack}>{props.back}</Button>
      <Button
        type="primary"
        htmlType={props.onNext ? 'button' : 'submit'}
        {...(props.onNext ? { onClick: props.onNext } : {})}
      >
        {props.next}
      </Button>
    </div>
  );
}
