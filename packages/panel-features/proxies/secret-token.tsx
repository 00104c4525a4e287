import { hiddenOfToken } from '@talpa/panel-kit/core';
import styles from './proxies.module.css';

/** A token: its middle is in the text, so that who marks it copies the whole, and looks like an ellipsis. */
export function SecretToken({ token }: { readonly token: string }) {
  const { first, middle, last } = hiddenOfToken(token);
  return (
    <>
      {first}
      {middle && <span className={styles.tokenMiddle}>{middle}</span>}
      {last}
    </>
  );
}
