import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { toast, useChange } from '../core.ts';
import { Form, FormDialog } from '../form.ts';
import { Alert } from '../ui.ts';
import { ProxyFields, type ProxyValues, toRequest, valuesOf } from './proxy-fields.tsx';
import { useProxyTexts } from './texts.ts';
import { useKept } from './use-kept.ts';

/** Changes a proxy; says when the change moves its address. */
export function EditDialog({
  proxy,
  onClose,
  onSaved,
}: {
  readonly proxy: ProxyConfig | null;
  readonly onClose: () => void;
  readonly onSaved?: ((proxy: ProxyConfig) => void) | undefined;
}) {
  const t = useProxyTexts();
  const [form] = Form.useForm<ProxyValues>();
  const kept = useKept(proxy);
  const { mutateAsync } = useChange('PUT /api/tunnel-configs/:id');
  const name = Form.useWatch('serverName', form);
  const custom = Form.useWatch('customUrl', form);
  const moves =
    kept !== null &&
    name !== undefined &&
    (name !== kept.serverName || (custom ?? '') !== (kept.customUrl ?? ''));
  const submit = async (values: ProxyValues) => {
    if (!kept) return;
    try {
      const saved = await mutateAsync({ id: kept.id, ...toRequest(values) });
      onSaved?.(saved);
    } catch (error) {
      toast({ title: t('edit.failed'), text: error instanceof Error ? error.message : '', tone: 'error' });
      throw error;
    }
    toast({ title: t('edit.done'), tone: 'success' });
    onClose();
  };
  if (!kept) return null;
  return (
    <FormDialog<ProxyValues>
      key={kept.id}
      open={proxy !== null}
      title={t('edit.title')}
      submit={t('edit.submit')}
      failed={t('edit.failed')}
      initialValues={valuesOf(kept)}
      form={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <ProxyFields withAddress />
      {moves && <Alert type="warning" showIcon title={t('edit.moves')} />}
    </FormDialog>
  );
}
