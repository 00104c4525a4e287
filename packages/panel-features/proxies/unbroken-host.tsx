import { Fragment } from 'react';
import styles from './proxies.module.css';

/** A host name that moves to the next line before it is broken. */
export const UnbrokenHost = ({ host }: { readonly host: string }) => (
  <span className={styles.unbroken}>{host}</span>
);

/** A text that has a host name in it. Browsers would break it after any of its hyphens. */
export function TextWithHost({ text, host }: { readonly text: string; readonly host: string }) {
  if (host === '') return text;
  const [first, ...others] = text.split(host);
  return (
    <>
      {first}
      {others.map((part, index) => (
        <Fragment key={index}>
          <UnbrokenHost host={host} />
          {part}
        </Fragment>
      ))}
    </>
  );
}
