import type { ProxyConfig, Server } from '@talpa/contracts';
import {
  canCreateQuery,
  enrolmentKeysQuery,
  panelConfig,
  proxiesQuery,
  useIsLive,
} from '@talpa/panel-kit/core';
import { Dialog, Tabs, useOpening } from '@talpa/panel-kit/form';
import { Button } from '@talpa/panel-kit/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { ProxyAddress } from './address.tsx';
import { AfterInstall } from './after-install.tsx';
import { EggGuide } from './egg-guide.tsx';
import { EnrolCommand } from './enrol-command.tsx';
import { leadsNowhere } from './install-block.ts';
import { FirewallNote, OnlyHere } from './install-dialog.tsx';
import { firstChoice, ways } from './install-guide.tsx';
import { InstallHints } from './install-hints.tsx';
import { OpenAddress, useIsLate } from './install-progress.tsx';
import { panelName } from './panel-settings.ts';
import styles from './proxies.module.css';
import { useProxyTexts } from './texts.ts';
import { enrolmentKeyOf, type KeyFor, useEnrolmentKey } from './use-enrolment-key.ts';
import { useWatchedProxy } from './use-watched-proxy.ts';

/** How often the machine is looked for without a live stream, in ms. */
const askMs = 3_000;

/** Connects a machine that has no proxy yet, and stays with the user until its panel has a public address. */
export function ConnectDialog({
  open,
  server = null,
  onClose,
}: {
  readonly open: boolean;
  /** Which server the machine is; null: one of its own. */
  readonly server?: Server | null;
  readonly onClose: () => void;
}) {
  const t = useProxyTexts();
  const opening = useOpening(open);
  return (
    <Dialog
      key={opening}
      open={open}
      title={server ? t('connect.titleOf', { name: server.name }) : t('connect.title')}
      footer={null}
      onCancel={onClose}
      closable={{ 'aria-label': t('check.close') }}
      destroyOnHidden
      width={680}
    >
      {leadsNowhere(window.location.hostname, panelConfig()) ? <OnlyHere /> : <Way server={server} />}
    </Dialog>
  );
}

const Way = ({ server }: { readonly server: Server | null }) =>
  server ? <ConnectingServer server={server} /> : <Connecting />;

/** The key of the command that is shown, as the list of keys has it by now. */
function useShownKey(whose: KeyFor) {
  const live = useIsLive();
  const { data: created, dataUpdatedAt: createdAt } = useEnrolmentKey(whose);
  const id = created?.enrolmentKey.id;
  const keys = useQuery({
    ...enrolmentKeysQuery,
    enabled: id !== undefined,
    refetchInterval: live ? false : askMs,
  });
  const key = keys.data?.find((one) => one.id === id);
  return { id, key, isGone: !key && keys.dataUpdatedAt > createdAt };
}

/** What has become of the command that is shown: who has used it, or that nobody can any more. */
function useConnected(): { readonly connected: readonly ProxyConfig[]; readonly isOver: boolean } {
  const live = useIsLive();
  const { id, key, isGone } = useShownKey(null);
  // The list may know it first by the stream, first by the key's.
  const { data: proxies } = useQuery({ ...proxiesQuery, refetchInterval: live ? false : askMs });
  const connected = (proxies ?? []).filter(({ id: one }) => key?.connected.includes(one));
  const isUsedUp = key ? key.used >= key.uses && key.connected.length === 0 : isGone;
  return {
    connected: connected.toSorted((one, other) => one.id - other.id),
    isOver: id !== undefined && isUsedUp,
  };
}

function Connecting() {
  const client = useQueryClient();
  const { connected, isOver } = useConnected();
  const [first, ...others] = connected;
  const restart = () => void client.resetQueries({ queryKey: enrolmentKeyOf(null) });
  if (first) return <Connected key={first.id} given={first} others={others} onNext={restart} />;
  return (
    <div className={styles.blocks}>
      <Steps proxy={null} />
      {isOver ? <Over onRenew={restart} /> : <Ways whose={null} />}
      <FirewallNote />
    </div>
  );
}

/** Installs the connector of a server that is there, with or without proxies. */
function ConnectingServer({ server }: { readonly server: Server }) {
  const t = useProxyTexts();
  const client = useQueryClient();
  const { key, isGone } = useShownKey(server);
  const isActive = server.status === 'active';
  const isUsed = key !== undefined && key.used >= key.uses;
  return (
    <div className={styles.blocks}>
      <div role="status">
        <ol className={styles.steps}>
          <Step
            state={isUsed || isActive ? 'done' : 'now'}
            title={t(isUsed || isActive ? 'connect.server' : 'connect.waiting')}
          >
            {!isUsed && !isActive && t('connect.waiting.text')}
          </Step>
          <Step
            state={isActive ? 'done' : isUsed ? 'now' : 'later'}
            title={t(isActive ? 'install.connected' : 'install.waiting')}
          >
            {null}
          </Step>
        </ol>
      </div>
      {isUsed || isGone ? (
        <Over onRenew={() => void client.resetQueries({ queryKey: enrolmentKeyOf(server) })} />
      ) : (
        <Ways whose={server} />
      )}
      <FirewallNote />
    </div>
  );
}

/** That the command opens no more. */
function Over({ onRenew }: { readonly onRenew: () => void }) {
  const t = useProxyTexts();
  return (
    <div className={styles.ending}>
      <span className={styles.aside}>{t('connect.over')}</span>
      <Button type="primary" onClick={onRenew}>
        {t('connect.renew')}
      </Button>
    </div>
  );
}

/** The command, by what it is run on. */
function Ways({ whose }: { readonly whose: KeyFor }) {
  const t = useProxyTexts();
  return (
    <Tabs
      destroyOnHidden
      items={(['linux', 'windows', 'egg'] as const).map((way) => ({
        key: way,
        label: ways[way],
        children:
          way === 'egg' ? (
            <EggGuide whose={whose} target={null} />
          ) : (
            <div className={styles.blocks}>
              <EnrolCommand whose={whose} isWindows={way === 'windows'} isNext />
              <p className={styles.aside}>{t('connect.finds')}</p>
            </div>
          ),
      }))}
    />
  );
}

function Connected({
  given,
  others,
  onNext,
}: {
  readonly given: ProxyConfig;
  /** Of the other panels that the machine has found. */
  readonly others: readonly ProxyConfig[];
  readonly onNext: () => void;
}) {
  const t = useProxyTexts();
  const { proxy } = useWatchedProxy(given);
  const isActive = proxy.status === 'active';
  const isLate = useIsLate(!isActive);
  const { data: quota } = useQuery(canCreateQuery);
  return (
    <div className={styles.blocks}>
      <Steps proxy={proxy} />
      {!isActive && isLate && <InstallHints proxy={proxy} choice={firstChoice} />}
      {isActive && (
        <>
          {[proxy, ...others].map((one) => (
            <div key={one.id} className={styles.reached}>
              <ProxyAddress proxy={one} />
              {others.length > 0 && (
                <span>
                  {t('connect.panel.text', { panel: panelName(t, one.panel), port: one.adminPort })}
                </span>
              )}
              <OpenAddress proxy={one} />
            </div>
          ))}
          {quota && !quota.canCreate && <p className={styles.aside}>{t('connect.full')}</p>}
          <AfterInstall proxy={proxy} system="debian" />
        </>
      )}
      {quota?.canCreate && <Button onClick={onNext}>{t('connect.another')}</Button>}
    </div>
  );
}

/** What happens from the command to the public address, and how far it has come. */
function Steps({ proxy }: { readonly proxy: ProxyConfig | null }) {
  const t = useProxyTexts();
  const isActive = proxy?.status === 'active';
  return (
    // One region that stays, so that its changes are announced.
    <div role="status">
      <ol className={styles.steps}>
        <Step state={proxy ? 'done' : 'now'} title={t(proxy ? 'connect.server' : 'connect.waiting')}>
          {proxy ? proxy.serverName : t('connect.waiting.text')}
        </Step>
        <Step state={proxy ? 'done' : 'later'} title={t(proxy ? 'connect.panel' : 'connect.panel.later')}>
          {proxy && t('connect.panel.text', { panel: panelName(t, proxy.panel), port: proxy.adminPort })}
        </Step>
        <Step
          state={isActive ? 'done' : proxy ? 'now' : 'later'}
          title={t(isActive ? 'connect.address' : proxy ? 'install.waiting' : 'connect.address.later')}
        >
          {isActive && t('install.connected')}
        </Step>
      </ol>
    </div>
  );
}

function Step(props: {
  readonly state: 'done' | 'now' | 'later';
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <li
      className={styles.oneStep}
      data-state={props.state}
      {...(props.state === 'now' && { 'aria-current': 'step' })}
    >
      <span className={styles.stepMark} aria-hidden>
        {props.state === 'done' ? (
          <Check size={14} strokeWidth={2.5} />
        ) : (
          <span className={props.state === 'now' ? styles.pulse : ''} />
        )}
      </span>
      <div className={styles.progressText}>
        <strong>{props.title}</strong>
        {props.children && <span>{props.children}</span>}
      </div>
    </li>
  );
}
