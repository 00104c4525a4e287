import { CopyButton } from '@talpa/panel-kit/ui';
import styles from './proxies.module.css';

/** Commands to copy. `copied` says them in full where less is shown; what is secret is not printed. */
export function CodeBlock(props: {
  readonly label: string;
  /** Where and how to use them; the label when left out. */
  readonly hint?: string;
  readonly shown: string;
  readonly copied?: string;
  readonly secret?: boolean;
}) {
  return (
    <figure className={styles.code} aria-label={props.label}>
      <figcaption className={styles.codeHead}>
        <span>{props.hint ?? props.label}</span>
        <CopyButton text={props.copied ?? props.shown} label={props.label} />
      </figcaption>
      {/* Long blocks scroll, by the keyboard too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre className={`${styles.command} ${props.secret ? 'secret' : ''}`} tabIndex={0}>
        {props.shown}
      </pre>
    </figure>
  );
}
