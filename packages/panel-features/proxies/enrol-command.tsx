import type { ProxyConfig } from '@talpa/contracts';
import { connectorPath } from '@talpa/contracts/connector';
import { call, useLanguage } from '@talpa/panel-kit/core';
import { Fold } from '@talpa/panel-kit/form';
import { CopyButton, ErrorCard, Loading } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { enrolCommand } from './install-steps.ts';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/** A key lives an hour: what is shown again has some of it left. In ms. */
const freshMs = 40 * 60_000;
const longestName = 60;
/** As long as a key: the command keeps its room until it is there, or what is below would leave from under a press. */
const noKey = 'x'.repeat(41);

/** The one command that installs a proxy's connector, with a key that works once. */
export function EnrolCommand(props: {
  readonly proxy: ProxyConfig;
  readonly isWindows: boolean;
  /** It is what is to be done next. */
  readonly isNext: boolean;
}) {
  const { id, serverName, cfTunnelId } = props.proxy;
  const t = useProxyTexts();
  const language = useLanguage();
  const { data, error, isFetching, refetch } = useQuery({
    // Who opens the dialog again sees the same command: they may have pasted it elsewhere.
    queryKey: ['enrolment-key', id, cfTunnelId],
    queryFn: () =>
      call(
        'POST /api/enrolment-keys',
        { name: serverName.slice(0, longestName).trim(), proxyId: id },
        { language },
      ),
    staleTime: freshMs,
    gcTime: freshMs,
    retry: false,
  });
  if (error)
    return (
      <ErrorCard
        title={t('install.commandFailed')}
        text={error.message}
        retry={() => void refetch()}
        retrying={isFetching}
      />
    );
  const script = `${location.origin}${connectorPath}/${language}.${props.isWindows ? 'ps1' : 'sh'}`;
  const command = enrolCommand(script, data?.key ?? noKey, props.isWindows);
  const figure = (
    <figure className={styles.install} aria-label={t('install.command')} inert={!data}>
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
          <p className={styles.paragraph}>{t('install.what.text')}</p>
          <a href={script} target="_blank" rel="noreferrer">
            {t('install.what.script')}
          </a>
        </div>
      </Fold>
    </figure>
  );
  if (data) return figure;
  return (
    <div className={styles.awaited}>
      {figure}
      <Loading text={t('install.commandLoading')} />
    </div>
  );
}
