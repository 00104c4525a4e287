import type { NewProxyAccess, ProxyConfig } from '@talpa/contracts';
import {
  newProxy,
  ProxyFields,
  type ProxyValues,
  toRequest,
  useAddressFault,
  useStopped,
} from '@talpa/panel-features/proxies';
import { panelConfig, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Form, FormDialog, Radio } from '@talpa/panel-kit/form';
import { Spinner } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxies.module.css';

interface CreateValues extends ProxyValues {
  /** Missing where nobody is asked. */
  readonly access?: NewProxyAccess;
}

const firstValues: CreateValues = { ...newProxy, access: 'open' };

/** Creates a proxy; waits, with words, while its tunnel is being made. */
export function CreateDialog(props: {
  readonly open: boolean;
  /** What it starts with; left out: the usual. */
  readonly first?: ProxyValues | undefined;
  readonly onClose: () => void;
  readonly onCreated: (proxy: ProxyConfig) => void;
}) {
  const t = useUserTexts();
  const toast = useToast();
  const stopped = useStopped(null);
  const markAddress = useAddressFault();
  const { mutateAsync } = useApiMutation('POST /api/tunnel-configs');
  const submit = async ({ access, ...entries }: CreateValues) => {
    const { proxy, message } = await mutateAsync({ ...toRequest(entries), access });
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
      values={{ ...firstValues, ...props.first }}
      stopped={stopped}
      onRefused={markAddress}
      onSubmit={submit}
      onClose={props.onClose}
    >
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
