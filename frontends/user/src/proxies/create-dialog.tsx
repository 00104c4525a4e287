import type { ProxyConfig } from '@talpa/contracts';
import {
  newProxy,
  ProxyFields,
  type ProxyValues,
  toRequest,
  useAddressFault,
  useStopped,
} from '@talpa/panel-features/proxies';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { FormDialog } from '@talpa/panel-kit/form';
import { Spinner } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';
import styles from './proxies.module.css';

/** Creates a proxy; waits, with words, while its tunnel is being made. */
export function CreateDialog(props: {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onCreated: (proxy: ProxyConfig) => void;
}) {
  const t = useUserTexts();
  const toast = useToast();
  const stopped = useStopped(null);
  const markAddress = useAddressFault();
  const { mutateAsync } = useApiMutation('POST /api/tunnel-configs');
  const submit = async (values: ProxyValues) => {
    const { proxy, message } = await mutateAsync(toRequest(values));
    toast({ title: t('create.done'), text: message, tone: 'success' });
    props.onCreated(proxy);
  };
  return (
    <FormDialog<ProxyValues>
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
      values={newProxy}
      stopped={stopped}
      onRefused={markAddress}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <ProxyFields />
    </FormDialog>
  );
}
