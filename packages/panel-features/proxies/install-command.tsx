import { Fold } from '@talpa/panel-kit/form';
import { CopyButton } from '@talpa/panel-kit/ui';
import { Fragment, type ReactNode } from 'react';
import styles from './proxies.module.css';
import { SecretToken } from './secret-token.tsx';
import { useProxyTexts } from './texts.ts';

/** What is to be run on the server: one line that says it, a button that copies it, and what it does for those who ask. */
export function InstallCommand(props: {
  /** The command itself where it is a single one, else what it comes to. */
  readonly line: ReactNode;
  /** Where it is pasted. */
  readonly hint: string;
  /** With the whole token. */
  readonly script: string;
  readonly token: string;
  /** It is what is to be done next. */
  readonly isNext: boolean;
}) {
  const t = useProxyTexts();
  const parts = props.script.split(props.token);
  return (
    <figure className={styles.install} aria-label={t('install.block')}>
      <div className={styles.installLine}>
        <div>
          <strong>{props.line}</strong>
          <span className={styles.installHint}>{props.hint}</span>
        </div>
        <CopyButton text={props.script} label={t('install.block')} primary={props.isNext} />
      </div>
      <Fold title={t('install.what')}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long scripts scroll, by the keyboard too */}
        <pre className={`${styles.command} secret`} tabIndex={0}>
          {parts.map((part, index) => (
            <Fragment key={index}>
              {index > 0 && <SecretToken token={props.token} />}
              {part}
            </Fragment>
          ))}
        </pre>
      </Fold>
    </figure>
  );
}
