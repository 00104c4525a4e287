import type { ReactNode } from 'react';
import styles from './payment.module.css';

/** A step's form; the button that sends it stands in the dialog's bar. */
export function StepForm(props: {
  readonly id: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}) {
  return (
    <form
      noValidate
      id={props.id}
      className={styles.step}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {props.children}
    </form>
  );
}
