import type { ProxyConfig } from '@talpa/contracts';
import { edgeAuthorityPath } from '@talpa/contracts/panel-config';
import { panelConfig } from '@talpa/panel-kit/core';
import { Checkbox, Fold, Radio, Tabs } from '@talpa/panel-kit/form';
import { installBlock } from './install-block.ts';
import { InstallCommand } from './install-command.tsx';
import { type EdgeAddress, type Installation, linuxSystems, type System } from './install-steps.ts';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/** What a user says about their server. */
export interface InstallChoice {
  readonly system: System;
  /** Whether another connector runs on it already. */
  readonly isSecond: boolean;
  /** Whether a connector of this proxy was installed on it before. */
  readonly replaces: boolean;
}

interface GuideProps {
  readonly proxy: ProxyConfig;
  readonly token: string;
  readonly choice: InstallChoice;
  readonly onChoose: (choice: InstallChoice) => void;
}

/** What to run on the server, by system, in one go; and what is on it already. */
export function InstallGuide({ proxy, token, choice, onChoose }: GuideProps) {
  const t = useProxyTexts();
  const { system } = choice;
  const command = (
    <InstallCommand
      line={t(system === 'docker' ? 'install.line.docker' : 'install.line.service')}
      hint={t(system === 'windows' ? 'install.block.windows' : 'install.block.linux')}
      script={installBlock({ ...installationOf(proxy, choice), token }, (title) => t(title))}
      token={token}
      isNext={proxy.status !== 'active'}
    />
  );
  return (
    <div className={styles.guide}>
      <Tabs
        activeKey={system === 'windows' ? 'windows' : 'linux'}
        onChange={(key) => onChoose({ ...choice, system: key === 'windows' ? 'windows' : linuxSystems[0] })}
        destroyOnHidden
        items={[
          {
            key: 'linux',
            label: 'Linux',
            children: (
              <div className={styles.blocks}>
                <Radio.Group
                  optionType="button"
                  className={styles.choices ?? ''}
                  aria-label={t('install.system')}
                  value={system}
                  onChange={({ target }) => onChoose({ ...choice, system: target.value })}
                  options={linuxSystems.map((value) => ({ value, label: t(`install.system.${value}`) }))}
                />
                {command}
              </div>
            ),
          },
          { key: 'windows', label: 'Windows', children: command },
        ]}
      />
      <Fold title={t('install.already')} startsOpen={choice.isSecond || choice.replaces}>
        <div className={styles.questions}>
          <Checkbox
            checked={choice.replaces}
            onChange={({ target }) => onChoose({ ...choice, replaces: target.checked })}
          >
            {t('install.replaces')}
          </Checkbox>
          <Checkbox
            checked={choice.isSecond}
            onChange={({ target }) => onChoose({ ...choice, isSecond: target.checked })}
          >
            {t('install.second')}
          </Checkbox>
        </div>
      </Fold>
    </div>
  );
}

/** The installation somebody has chosen, but for its token. */
export function installationOf(proxy: ProxyConfig, choice: InstallChoice): Omit<Installation, 'token'> {
  const second = choice.isSecond ? (proxy.cfDomain.split('.')[0] ?? null) : null;
  return { system: choice.system, second, replaces: choice.replaces, edge: edgeAddress() };
}

function edgeAddress(): EdgeAddress | null {
  const { edge } = panelConfig();
  return edge && { ...edge, authorityUrl: `${location.origin}${edgeAuthorityPath}` };
}
