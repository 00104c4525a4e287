import { hiddenOfToken } from '@talpa/panel-kit/core';
import { CopyButton } from '@talpa/panel-kit/ui';
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

/** A token with a button that copies it. */
export function TokenLine({ token, label }: { readonly token: string; readonly label: string }) {
  return (
    <div className={styles.token}>
      <code className="secret">
        <SecretToken token={token} />
      </code>
      <CopyButton text={token} label={label} />
    </div>
  );
}
