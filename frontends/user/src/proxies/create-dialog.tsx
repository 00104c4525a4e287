import type { NewProxyAccess, ProxyConfig } from '@talpa/contracts';
import {
  newProxy,
  ProxyFields,
  type ProxyValues,
  toRequest,
  useAddressFault,
  useStopped,
} from '@talpa/panel-features/proxies';
import { panelConfig, serversQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Form, FormDialog, Radio } from '@talpa/panel-kit/form';
import { Spinner } from '@talpa/panel-kit/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ownServer, ServerField, type ServerValues } from '../servers/server-field.tsx';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxies.module.css';

interface CreateValues extends ProxyValues, ServerValues {
  /** Missing where nobody is asked. */
  readonly access?: NewProxyAccess;
}

/** Creates a proxy; waits, with words, while its tunnel is being made. */
export function CreateDialog(props: {
  readonly open: boolean;
  /** What it starts with; left out: the usual. */
  readonly first?: ProxyValues | undefined;
  /** The server that is chosen at first; left out: one of its own. */
  readonly server?: number | undefined;
  readonly onClose: () => void;
  readonly onCreated: (proxy: ProxyConfig) => void;
}) {
  const t = useUserTexts();
  const toast = useToast();
  const stopped = useStopped(null);
  const markAddress = useAddressFault();
  const { mutateAsync } = useApiMutation('POST /api/tunnel-configs');
  const { data: servers = [] } = useQuery(serversQuery);
  const client = useQueryClient();
  const submit = async ({ access, serverId, ...entries }: CreateValues) => {
    const joined = serverId ? { serverId } : {};
    const { proxy, message } = await mutateAsync({ ...toRequest(entries), access, ...joined });
    toast({ title: t('create.done'), text: message, tone: 'success' });
    props.onCreated(proxy);
  };
  return (
    <FormDialog<CreateValues>
      open={props.open}
      title={t('create.title')}
      submit={t('create.submit')}
      failed={t('create.failed')}
      progress={
        <div className={styles.progress} role="status">
          <Spinner />
          {t('create.progress')}
        </div>
      }
      values={{ ...newProxy, access: 'open', serverId: props.server ?? ownServer, ...props.first }}
      stopped={stopped}
      onRefused={(form) => {
        markAddress(form);
        // It may have become one that nothing can join.
        void client.invalidateQueries(serversQuery);
      }}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <ServerField servers={servers} />
      <ProxyFields />
      {panelConfig().protectedProxies && <AccessField />}
    </FormDialog>
  );
}

/** Who may visit the new proxy. */
function AccessField() {
  const t = useUserTexts();
  return (
    <Form.Item name="access" label={t('create.access')} extra={t('create.access.hint')}>
      <Radio.Group className={styles.choices ?? ''}>
        {(['open', 'protected'] as const).map((one) => (
          <Radio key={one} value={one}>
            {t(`create.${one}`)}
            <span className={styles.hint}>{t(`create.${one}.hint`)}</span>
          </Radio>
        ))}
      </Radio.Group>
    </Form.Item>
  );
}
