import type { ProxyConfig } from '@talpa/contracts';
import { mayDo, ProxyActionButton, TextWithHost, useSharedServer } from '@talpa/panel-features/proxies';
import { proxyMembersQuery, useUser } from '@talpa/panel-kit/core';
import { Panel } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LeaveButton } from '../members/leave-button.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxy.module.css';

/** What cannot be undone; each asks first. */
export function DangerZone(props: {
  readonly proxy: ProxyConfig;
  readonly onRecreate: () => void;
  readonly onDelete: () => void;
}) {
  const t = useUserTexts();
  const { proxy } = props;
  const isMember = useIsMember(proxy);
  const { server, isShared } = useSharedServer(proxy);
  return (
    <Panel title={t('proxy.danger')} danger flush>
      {mayDo(proxy, 'recreate') && (
        <Risk
          title={t('proxy.danger.recreate')}
          text={t(isShared ? 'proxy.danger.recreate.shared' : 'proxy.danger.recreate.text', {
            server: server?.name ?? '',
          })}
        >
          <ProxyActionButton proxy={proxy} action="recreate" onClick={props.onRecreate} />
        </Risk>
      )}
      {mayDo(proxy, 'delete') && (
        <Risk
          title={t('proxy.danger.delete')}
          text={
            <TextWithHost
              text={t('proxy.danger.delete.text', { address: proxy.cfDomain })}
              host={proxy.cfDomain}
            />
          }
        >
          <ProxyActionButton proxy={proxy} action="delete" type="primary" onClick={props.onDelete} />
        </Risk>
      )}
      {isMember && (
        <Risk
          title={t('proxy.danger.leave')}
          text={t(proxy.membership ? 'proxy.danger.leave.text' : 'proxy.danger.leave.admin')}
        >
          <LeaveButton proxy={proxy} />
        </Risk>
      )}
    </Panel>
  );
}

/** Whether the reader is a member. Administrators reach the proxy in any case: the list of members shows whether these are one. */
function useIsMember(proxy: ProxyConfig): boolean {
  const { id: me, isAdmin } = useUser();
  const { data } = useQuery({ ...proxyMembersQuery(proxy.id), enabled: isAdmin && proxy.userId !== me });
  if (proxy.membership) return true;
  return data?.members.some(({ userId, joinedAt }) => userId === me && joinedAt !== null) ?? false;
}

export function Risk(props: {
  readonly title: string;
  readonly text: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.risk}>
      <div>
        <h3>{props.title}</h3>
        <p className={styles.note}>{props.text}</p>
      </div>
      {props.children}
    </div>
  );
}
