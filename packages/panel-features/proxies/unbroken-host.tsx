import { Fragment } from 'react';
import styles from './proxies.module.css';

/** A host name that moves to the next line before it is broken. */
export const UnbrokenHost = ({ host }: { readonly host: string }) => (
  <span className={styles.unbroken}>{host}</span>
);

/** A text with a host name in it, which moves to the next line as one. Browsers would break it after a hyphen. */
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
