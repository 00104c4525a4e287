import type { ProxyConfig } from '@talpa/contracts';
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
import { enrolmentKeyOf, useEnrolmentKey } from './use-enrolment-key.ts';
import { useWatchedProxy } from './use-watched-proxy.ts';

/** How often the machine is looked for without a live stream, in ms. */
const askMs = 3_000;

/** Connects a machine that has no proxy yet, and stays with the user until its panel has a public address. */
export function ConnectDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useProxyTexts();
  const opening = useOpening(open);
  return (
    <Dialog
      key={opening}
      open={open}
      title={t('connect.title')}
      footer={null}
      onCancel={onClose}
      closable={{ 'aria-label': t('check.close') }}
      destroyOnHidden
      width={680}
    >
      {leadsNowhere(window.location.hostname, panelConfig()) ? <OnlyHere /> : <Connecting />}
    </Dialog>
  );
}

/** What has become of the command that is shown: who has used it, or that nobody can any more. */
function useConnected(): { readonly connected: readonly ProxyConfig[]; readonly isOver: boolean } {
  const live = useIsLive();
  const { data: created, dataUpdatedAt: createdAt } = useEnrolmentKey(null);
  const id = created?.enrolmentKey.id;
  const keys = useQuery({
    ...enrolmentKeysQuery,
    enabled: id !== undefined,
    refetchInterval: live ? false : askMs,
  });
  const key = keys.data?.find((one) => one.id === id);
  // The list may know it first by the stream, first by the key's.
  const { data: proxies } = useQuery({ ...proxiesQuery, refetchInterval: live ? false : askMs });
  const connected = (proxies ?? []).filter(({ id: one }) => key?.connected.includes(one));
  const isUsedUp = key ? key.used >= key.uses && key.connected.length === 0 : keys.dataUpdatedAt > createdAt;
  return {
    connected: connected.toSorted((one, other) => one.id - other.id),
    isOver: id !== undefined && isUsedUp,
  };
}

function Connecting() {
  const t = useProxyTexts();
  const client = useQueryClient();
  const { connected, isOver } = useConnected();
  const [first, ...others] = connected;
  const restart = () => void client.resetQueries({ queryKey: enrolmentKeyOf(null) });
  if (first) return <Connected key={first.id} given={first} others={others} onNext={restart} />;
  return (
    <div className={styles.blocks}>
      <Steps proxy={null} />
      {isOver ? (
        <div className={styles.ending}>
          <span className={styles.aside}>{t('connect.over')}</span>
          <Button type="primary" onClick={restart}>
            {t('connect.renew')}
          </Button>
        </div>
      ) : (
        <Ways />
      )}
      <FirewallNote />
    </div>
  );
}

/** The command, by what it is run on. */
function Ways() {
  const t = useProxyTexts();
  return (
    <Tabs
      destroyOnHidden
      items={(['linux', 'windows', 'egg'] as const).map((way) => ({
        key: way,
        label: ways[way],
        children:
          way === 'egg' ? (
            <EggGuide proxy={null} target={null} />
          ) : (
            <div className={styles.blocks}>
              <EnrolCommand proxy={null} isWindows={way === 'windows'} isNext />
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
