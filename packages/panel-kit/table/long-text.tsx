import { type CSSProperties, Fragment } from 'react';
import styles from './data-table.module.css';

/** A text of any length: on a card it is whole, in a table a few lines of it and the rest where a pointer rests. */
export function LongText(props: {
  readonly text: string;
  /** As many lines as a table shows of it; two when left out. */
  readonly lines?: number;
  /** For addresses, in which letters of one width are easier to compare. */
  readonly mono?: boolean;
}) {
  return (
    <span
      className={styles.long}
      data-mono={props.mono}
      title={props.text}
      style={{ '--lines': props.lines ?? 2 } as CSSProperties}
    >
      {parts(props.text).map((part, index) => (
        <Fragment key={index}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}

const isHost = /^[\w*-]+(\.[\w-]+)+$/;
/** An IPv6 address breaks between its groups, a host name between its labels. */
const parts = (text: string) => text.split(isHost.test(text) ? /(?<=\.)/ : /(?<=:)/);
