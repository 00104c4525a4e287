import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { Form, FormDialog, fields, Input, useFieldRules } from '@talpa/panel-kit/form';
import { useDomainTexts } from './texts.ts';

interface Values {
  readonly host: string;
}

/** Adds a domain to a proxy. */
export function AddDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly onAdded: () => void;
  readonly onClose: () => void;
}) {
  const t = useDomainTexts();
  const toast = useToast();
  const { mutateAsync } = useApiMutation('POST /api/tunnel-configs/:id/domains');
  const submit = async ({ host }: Values) => {
    const added = await mutateAsync({ id: props.proxyId, host });
    props.onClose();
    props.onAdded();
    toast({ title: t('add.done'), text: added.host, tone: 'success' });
  };
  return (
    <FormDialog<Values>
      open={props.open}
      title={t('add')}
      submit={t('add')}
      failed={t('add.failed')}
      values={{ host: '' }}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <HostField />
    </FormDialog>
  );
}

function HostField() {
  const t = useDomainTexts();
  const rules = useFieldRules();
  return (
    <Form.Item name="host" label={t('add.host')} extra={t('add.hint')} rules={rules(fields.customHost)}>
      <Input autoComplete="off" autoCapitalize="none" spellCheck={false} inputMode="url" />
    </Form.Item>
  );
}
