import type { ProxyConfig } from '@talpa/contracts';
import { proxyQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { FormDialog, useLatest, useOpening } from '@talpa/panel-kit/form';
import { AddressMove } from './address-preview.tsx';
import { ProxyFields, useDescribeField } from './proxy-fields.tsx';
import { type ProxyValues, toRequest, valuesOf } from './proxy-values.ts';
import { SameTarget } from './same-target.tsx';
import { useProxyTexts } from './texts.ts';
import { useAddressFault } from './use-availability.ts';
import { useKept } from './use-kept.ts';
import { useStopped } from './use-stopped.ts';

interface Props {
  readonly onClose: () => void;
  readonly onSaved?: ((proxy: ProxyConfig) => void) | undefined;
}

/** Changes a proxy; shows the new address when the change moves it. */
export function EditDialog({ proxy, ...props }: Props & { readonly proxy: ProxyConfig | null }) {
  const kept = useKept(proxy);
  const opening = useOpening(proxy !== null);
  return kept && <EditForm key={opening} open={proxy !== null} proxy={kept} {...props} />;
}

function EditForm({
  open,
  proxy,
  onClose,
  onSaved,
}: Props & { readonly open: boolean; readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  const toast = useToast();
  const describe = useDescribeField();
  const { record, isGone, refetch, replace } = useLatest(proxy, proxyQuery(proxy.id), open);
  const stopped = useStopped(record);
  const markAddress = useAddressFault(record);
  const { mutateAsync } = useApiMutation('PUT /api/tunnel-configs/:id');
  const save = async (values: ProxyValues, base: Partial<ProxyValues>) => {
    const expected = toRequest({ ...valuesOf(record), ...base });
    const saved = await mutateAsync({ id: proxy.id, ...toRequest(values), expected });
    replace(saved);
    onSaved?.(saved);
    toast({ title: t('edit.done'), tone: 'success' });
    onClose();
  };
  return (
    <FormDialog<ProxyValues>
      open={open}
      title={t('edit.title')}
      submit={t('edit.submit')}
      failed={t('edit.failed')}
      onFailure={(text) => toast({ title: t('edit.failed'), text, tone: 'error' })}
      values={valuesOf(record)}
      describe={describe}
      isGone={isGone}
      stopped={stopped}
      onOutdated={refetch}
      onRefused={markAddress}
      onSubmit={save}
      onClose={onClose}
    >
      <ProxyFields proxy={record} />
      <SameTarget proxy={record} />
      <AddressMove proxy={record} />
    </FormDialog>
  );
}
