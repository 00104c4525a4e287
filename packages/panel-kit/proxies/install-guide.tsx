import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { edgeAuthorityPath } from '@talpa/contracts/panel-config';
import { useState } from 'react';
import { panelConfig, shortToken } from '../core.ts';
import { Checkbox, Radio, Tabs } from '../form.ts';
import { CopyButton } from '../ui.ts';
import { type EdgeAddress, installSteps, linuxSystems, type System } from './install-steps.ts';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

interface GuideProps {
  readonly proxy: ProxyConfig;
  readonly token: string;
}

/** What to run on the server, by system; the panel shows the token shortened and copies it whole. */
export function InstallGuide({ proxy, token }: GuideProps) {
  const t = useProxyTexts();
  const [linux, setLinux] = useState<(typeof linuxSystems)[number]>(linuxSystems[0]);
  const [isSecond, setSecond] = useState(false);
  const second = isSecond ? (proxy.cfDomain.split('.')[0] ?? null) : null;
  const steps = (system: System) => <Steps system={system} token={token} second={second} />;
  return (
    <div className={styles.blocks}>
      <Tabs
        items={[
          {
            key: 'linux',
            label: 'Linux',
            children: (
              <div className={styles.blocks}>
                <Radio.Group
                  optionType="button"
                  aria-label={t('install.system')}
                  value={linux}
                  onChange={({ target }) => setLinux(target.value)}
                  options={linuxSystems.map((value) => ({ value, label: t(`install.system.${value}`) }))}
                />
                {steps(linux)}
              </div>
            ),
          },
          { key: 'windows', label: 'Windows', children: steps('windows') },
        ]}
      />
      <Checkbox checked={isSecond} onChange={({ target }) => setSecond(target.checked)}>
        {t('install.second')}
      </Checkbox>
    </div>
  );
}

function edgeAddress(): EdgeAddress | null {
  const { edge } = panelConfig();
  return edge && { ...edge, authorityUrl: `${location.origin}${edgeAuthorityPath}` };
}

interface StepsProps {
  readonly system: System;
  readonly token: string;
  readonly second: string | null;
}

function Steps({ token, ...rest }: StepsProps) {
  const t = useProxyTexts();
  const make = (shown: string) => installSteps({ ...rest, token: shown, edge: edgeAddress() });
  const shown = make(shortToken(token));
  return (
    <ol className={styles.steps}>
      {make(token).map(({ title, command }, at) => (
        <li key={title}>
          <p className={styles.step}>{t(title)}</p>
          <pre className={`${styles.command} secret`}>
            {shown[at]?.command}
            <span className={styles.commandCopy}>
              <CopyButton text={command} label={t(title)} />
            </span>
          </pre>
        </li>
      ))}
    </ol>
  );
}
