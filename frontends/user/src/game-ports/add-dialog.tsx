import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { FormDialog } from '@talpa/panel-kit/form';
import { PortFields } from './port-fields.tsx';
import { firstValues, type PortValues, portInputOf } from './port-values.ts';
import { useGamePortTexts } from './texts.ts';

/** Makes a port of a proxy's server public. */
export function AddDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly serverIP: string;
  /** The address that the user has now. */
  readonly address: string;
  /** What players enter before the public port. */
  readonly host: string;
  readonly onAdded: () => void;
  readonly onClose: () => void;
}) {
  const t = useGamePortTexts();
  const toast = useToast();
  const { mutateAsync } = useApiMutation('POST /api/tunnel-configs/:id/ports');
  const first = firstValues('minecraft', props.address);
  const submit = async (values: PortValues) => {
    const { publicPort } = await mutateAsync({ id: props.proxyId, ...portInputOf({ ...first, ...values }) });
    props.onClose();
    props.onAdded();
    toast({ title: t('add.done'), text: `${props.host}:${publicPort}`, tone: 'success' });
  };
  return (
    <FormDialog<PortValues>
      open={props.open}
      title={t('add')}
      submit={t('add')}
      failed={t('add.failed')}
      values={first}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <PortFields isNew first={first} address={props.address} host={props.serverIP} />
    </FormDialog>
  );
}
