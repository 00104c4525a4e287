import { CopyButton } from '@talpa/panel-kit/ui';
import styles from './proxies.module.css';

/** Commands to copy. */
export function CodeBlock(props: {
  readonly label: string;
  /** Where and how to use them; the label when left out. */
  readonly hint?: string;
  readonly shown: string;
}) {
  return (
    <figure className={styles.code} aria-label={props.label}>
      <figcaption className={styles.codeHead}>
        <span>{props.hint ?? props.label}</span>
        <CopyButton text={props.shown} label={props.label} />
      </figcaption>
      {/* Long blocks scroll, by the keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre className={styles.command} tabIndex={0}>
        {props.shown}
      </pre>
    </figure>
  );
}
