import type { ProxyConfig } from '@talpa/contracts';
import { edgeAuthorityPath } from '@talpa/contracts/panel-config';
import { panelConfig } from '@talpa/panel-kit/core';
import { Checkbox, Fold, Radio, Tabs } from '@talpa/panel-kit/form';
import type { ReactNode } from 'react';
import { EggGuide } from './egg-guide.tsx';
import { EnrolCommand } from './enrol-command.tsx';
import { installBlock } from './install-block.ts';
import { InstallCommand } from './install-command.tsx';
import {
  containerSystems,
  type EdgeAddress,
  type Installation,
  linuxSystems,
  type System,
} from './install-steps.ts';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';

/** What a connector is installed on, with names that are the same in all languages. */
export const ways = {
  linux: 'Linux',
  windows: 'Windows',
  docker: 'Docker',
  // Pelican is another one of its kind; a phone has no room for both.
  egg: 'Pterodactyl',
} as const;
type Way = keyof typeof ways;
const containers = { docker: 'docker run', compose: 'Docker Compose' } as const;

/** What a user says about their server. */
export interface InstallChoice {
  readonly way: Way;
  /** Of the ways that know several. */
  readonly linux: (typeof linuxSystems)[number];
  readonly container: (typeof containerSystems)[number];
  /** They install step by step, not with the one command. */
  readonly isByHand: boolean;
  /** Whether another connector runs on it already. */
  readonly isSecond: boolean;
  /** Whether a connector of this proxy was installed on it before. */
  readonly replaces: boolean;
}

/** Of whom nobody has said anything. */
export const firstChoice: InstallChoice = {
  ...{ way: 'linux', linux: linuxSystems[0], container: containerSystems[0] },
  ...{ isByHand: false, isSecond: false, replaces: false },
};

export function systemOf({ way, linux, container }: InstallChoice): System {
  if (way === 'windows') return way;
  return way === 'docker' ? container : linux;
}

interface GuideProps {
  readonly proxy: ProxyConfig;
  readonly token: string;
  readonly choice: InstallChoice;
  readonly onChoose: (choice: InstallChoice) => void;
}

/** One command for the server, by what it runs; and each step for who wants to see it. */
export function InstallGuide(props: GuideProps) {
  const { proxy, choice, onChoose } = props;
  const withCommand = (
    <div className={styles.blocks}>
      <EnrolCommand whose={proxy} isWindows={choice.way === 'windows'} isNext={proxy.status !== 'active'} />
      <ByHand {...props} />
    </div>
  );
  const content: Readonly<Record<Way, ReactNode>> = {
    linux: withCommand,
    windows: withCommand,
    docker: <WithToken {...props} isNext={proxy.status !== 'active'} />,
    egg: <EggGuide whose={proxy} target={proxy} />,
  };
  return (
    <Tabs
      activeKey={choice.way}
      onChange={(key) => onChoose({ ...choice, way: key as Way })}
      destroyOnHidden
      items={Object.entries(ways).map(([key, label]) => ({ key, label, children: content[key as Way] }))}
    />
  );
}

function ByHand(props: GuideProps) {
  const t = useProxyTexts();
  const { choice, onChoose } = props;
  return (
    <Fold
      title={t('install.byHand')}
      startsOpen={choice.isByHand}
      onToggle={(isOpen) => onChoose({ ...choice, isByHand: isOpen })}
    >
      <WithToken {...props} isNext={false} />
    </Fold>
  );
}

/** Commands that have the token in them. */
function WithToken({ proxy, token, choice, onChoose, isNext }: GuideProps & { readonly isNext: boolean }) {
  const t = useProxyTexts();
  const isDocker = choice.way === 'docker';
  const isWindows = choice.way === 'windows';
  const systems = isDocker
    ? containerSystems.map((value) => ({ value, label: containers[value] }))
    : linuxSystems.map((value) => ({ value, label: t(`install.system.${value}`) }));
  return (
    <div className={styles.blocks}>
      {!isWindows && (
        <Radio.Group
          optionType="button"
          className={styles.choices ?? ''}
          aria-label={t('install.system')}
          value={systemOf(choice)}
          onChange={({ target }) => onChoose({ ...choice, [isDocker ? 'container' : 'linux']: target.value })}
          options={systems}
        />
      )}
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
      <InstallCommand
        line={t(isDocker ? 'install.line.docker' : 'install.line.service')}
        hint={t(isWindows ? 'install.block.windows' : 'install.block.linux')}
        script={installBlock({ ...installationOf(proxy, choice), token }, (title) => t(title))}
        token={token}
        isNext={isNext}
      />
    </div>
  );
}

/** The installation somebody has chosen, but for its token. */
export function installationOf(proxy: ProxyConfig, choice: InstallChoice): Omit<Installation, 'token'> {
  const second = choice.isSecond ? (proxy.cfDomain.split('.')[0] ?? null) : null;
  return { system: systemOf(choice), second, replaces: choice.replaces, edge: edgeAddress() };
}

function edgeAddress(): EdgeAddress | null {
  const { edge } = panelConfig();
  return edge && { ...edge, authorityUrl: `${location.origin}${edgeAuthorityPath}` };
}
