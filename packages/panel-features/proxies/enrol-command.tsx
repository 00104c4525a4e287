import { connectorPath } from '@talpa/contracts/connector';
import { useLanguage } from '@talpa/panel-kit/core';
import { Fold } from '@talpa/panel-kit/form';
import { CopyButton, ErrorCard, Loading } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';
import { enrolCommand } from './install-steps.ts';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';
import { isOfProxy, type KeyFor, useEnrolmentKey } from './use-enrolment-key.ts';

/** What the panel's scripts have for the last line of a command. */
const linuxCalls = { install: 'talpa_enrol', remove: 'talpa_remove' };
const windowsCalls = { install: 'Install-Talpa', remove: 'Remove-Talpa' };
/** As long as a key: what shows it keeps its room until it is there, or what is below would leave from under a press. */
const noKey = 'x'.repeat(41);

/** Shows something with an enrolment key, and what stands in its place until the key is there. */
export function WithKey(props: {
  readonly whose: KeyFor;
  readonly children: (key: string, isThere: boolean) => ReactNode;
}) {
  const t = useProxyTexts();
  const { data, error, isFetching, refetch } = useEnrolmentKey(props.whose);
  if (error)
    return (
      <ErrorCard
        title={t('install.commandFailed')}
        text={error.message}
        retry={() => void refetch()}
        retrying={isFetching}
      />
    );
  if (data) return props.children(data.key, true);
  return (
    <div className={styles.awaited}>
      {props.children(noKey, false)}
      <Loading text={t('install.commandLoading')} />
    </div>
  );
}

/** The one command that connects a machine, with a key that works once. */
export function EnrolCommand(props: {
  readonly whose: KeyFor;
  readonly isWindows: boolean;
  /** It is what is to be done next. */
  readonly isNext: boolean;
}) {
  const t = useProxyTexts();
  const language = useLanguage();
  const script = `${location.origin}${connectorPath}/${language}.${props.isWindows ? 'ps1' : 'sh'}`;
  return (
    <WithKey whose={props.whose}>
      {(key, isThere) => {
        const command = enrolCommand(script, key, props.isWindows);
        return (
          <figure className={styles.install} aria-label={t('install.command')} inert={!isThere}>
            <div className={styles.installLine}>
              <div>
                <strong>{t('install.command')}</strong>
                <span className={styles.installHint}>
                  {t(props.isWindows ? 'install.block.windows' : 'install.block.linux')}
                </span>
              </div>
              <CopyButton text={command} label={t('install.command')} primary={props.isNext} />
            </div>
            <pre className={`${styles.command} secret`}>{command}</pre>
            <Fold title={t('install.what')}>
              <div className={styles.what}>
                <p className={styles.paragraph}>
                  {t(isOfProxy(props.whose) ? 'install.what.text' : 'install.what.newText')}
                </p>
                <p className={styles.paragraph}>
                  {t('install.what.remove', props.isWindows ? windowsCalls : linuxCalls)}
                </p>
                <a href={script} target="_blank" rel="noreferrer">
                  {t('install.what.script')}
                </a>
              </div>
            </Fold>
          </figure>
        );
      }}
    </WithKey>
  );
}
