import type { Server } from '@talpa/contracts';
import { hiddenOfToken, useUser } from '@talpa/panel-kit/core';
import { Alert, CopyButton } from '@talpa/panel-kit/ui';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

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

/** Beside a token: that its owner is not the only one who has it. */
export function TokenShared({ server }: { readonly server: Server | undefined }) {
  const t = useProxyTexts();
  const { id: me } = useUser();
  if (!server?.tokenShared || server.userId !== me) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={t('token.shared')}
      description={t('token.shared.text', { server: server.name })}
    />
  );
}
