import type { Member, ProxyConfig } from '@talpa/contracts';
import { includesRole, roleOf } from '@talpa/contracts/roles';
import { serverQuery } from '@talpa/panel-kit/core';
import { Alert, Awaited, Button } from '@talpa/panel-kit/ui';
import { useQuery } from '@tanstack/react-query';
import { useNewToken } from '../servers/use-new-token.tsx';
import styles from './members.module.css';
import { useMemberTexts } from './texts.ts';

/** Says to the owner that the token may be known to somebody who may not have it any more, and offers another one. */
export function TokenKnown({
  proxy,
  members,
}: {
  readonly proxy: ProxyConfig;
  readonly members: readonly Member[];
}) {
  const t = useMemberTexts();
  const isOwner = roleOf(proxy) === 'owner';
  const { data: server, isLoading } = useQuery({ ...serverQuery(proxy.serverId), enabled: isOwner });
  const newToken = useNewToken();
  const mayKnowIt = members.some(({ role, joinedAt }) => joinedAt !== null && includesRole(role, 'operate'));
  return (
    <>
      {isLoading && <Awaited />}
      {server?.tokenShared && !mayKnowIt && (
        <Alert
          className={styles.known ?? ''}
          type="warning"
          showIcon
          title={t('known')}
          description={
            <>
              <p>{t('known.text')}</p>
              <Button onClick={() => newToken.ask(server)}>{t('known.renew')}</Button>
            </>
          }
        />
      )}
      {newToken.dialog}
    </>
  );
}
