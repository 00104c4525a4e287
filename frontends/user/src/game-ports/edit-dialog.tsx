import type { GamePort } from '@talpa/contracts';
import { useApiMutation, useToast } from '@talpa/panel-kit/core';
import { type DescribeField, FormDialog } from '@talpa/panel-kit/form';
import type { RuleValues } from '../access/policy-values.ts';
import { useRuleTexts } from '../access/rule-texts.ts';
import { PortFields } from './port-fields.tsx';
import { type PortValues, portInputOf, portValuesOf } from './port-values.ts';
import { useGamePortTexts } from './texts.ts';

/** Changes where a game port leads, and who may connect. */
export function EditDialog(props: {
  readonly open: boolean;
  readonly proxyId: number;
  readonly port: GamePort;
  /** Its public address. */
  readonly shown: string;
  /** The address that the user has now. */
  readonly address: string;
  readonly isGone: boolean;
  readonly refetch: () => Promise<unknown>;
  readonly onClose: () => void;
}) {
  const t = useGamePortTexts();
  const toast = useToast();
  const describe = useDescribe();
  const { mutateAsync } = useApiMutation('PUT /api/tunnel-configs/:id/ports/:portId');
  const { id: portId, targetHost } = props.port;
  const values = portValuesOf(props.port);
  const submit = async (chosen: PortValues, base: Partial<PortValues>) => {
    const started = { ...values, ...base };
    const input = portInputOf({ ...started, ...chosen });
    await mutateAsync({ id: props.proxyId, portId, ...input, expected: portInputOf(started) });
    props.onClose();
    void props.refetch();
    toast({ title: t('edit.done'), text: props.shown, tone: 'success' });
  };
  return (
    <FormDialog<PortValues>
      open={props.open}
      title={t('edit.title')}
      submit={t('edit.submit')}
      failed={t('edit.failed')}
      values={values}
      describe={describe}
      isGone={props.isGone}
      onOutdated={props.refetch}
      onSubmit={submit}
      onClose={props.onClose}
    >
      <PortFields isNew={false} first={values} address={props.address} host={targetHost} />
    </FormDialog>
  );
}

/** How a changed field reads when somebody else has changed it meanwhile. */
function useDescribe(): DescribeField {
  const t = useGamePortTexts();
  const { match } = useRuleTexts();
  return (name, value) => {
    if (name === 'rules') {
      const rules = (value ?? []) as readonly RuleValues[];
      return { label: t('form.rules'), text: rules.map(match).join('; ') || t('form.rules.none') };
    }
    if (name === 'preset')
      return { label: t('form.preset'), text: t(`preset.${value as PortValues['preset']}`) };
    if (name === 'kind')
      return { label: t('form.kind'), text: t(`form.kind.${value as PortValues['kind']}`) };
    if (name === 'otherwise')
      return { label: t('form.otherwise'), text: t(`form.otherwise.${value as 'allow' | 'deny'}`) };
    if (name === 'proxyProtocol') return { label: t('proxyProtocol'), text: t(value ? 'yes' : 'no') };
    return { label: t('form.targetPort'), text: String(value) };
  };
}
