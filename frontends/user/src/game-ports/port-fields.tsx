import { gamePortPresets } from '@talpa/contracts/game-port-presets';
import { Checkbox, Form, fields, Input, Radio, Select, useFieldRules } from '@talpa/panel-kit/form';
import { Alert } from '@talpa/panel-kit/ui';
import { RulesField } from '../access/rules-field.tsx';
import styles from './game-ports.module.css';
import { firstValues, type PortValues } from './port-values.ts';
import { useGamePortTexts } from './texts.ts';

/** The fields of a game port. @param props.isNew another preset brings its port and its rules */
export function PortFields(props: {
  readonly isNew: boolean;
  readonly first: PortValues;
  /** The address that the user has now. */
  readonly address: string;
  /** The server's. */
  readonly host: string;
}) {
  const t = useGamePortTexts();
  const rules = useFieldRules();
  const form = Form.useFormInstance<PortValues>();
  const preset = Form.useWatch('preset', form) ?? props.first.preset;
  const kind = Form.useWatch('kind', form) ?? props.first.kind;
  const begin = (chosen: PortValues['preset']) => {
    const { targetPort, kind: wanted, rules: first, otherwise } = firstValues(chosen, props.address);
    form.setFieldsValue({ targetPort, kind: wanted, rules: first, otherwise } as object);
  };
  return (
    <>
      <Form.Item name="preset" label={t('form.preset')}>
        <Radio.Group
          options={gamePortPresets.map((value) => ({ value, label: t(`preset.${value}`) }))}
          onChange={({ target }) => props.isNew && begin(target.value)}
        />
      </Form.Item>
      {preset === 'rcon' && (
        <Alert
          className={styles.warning ?? ''}
          type="warning"
          showIcon
          title={t('form.rcon')}
          description={t('form.rcon.text')}
        />
      )}
      <Form.Item
        name="targetPort"
        label={t('form.targetPort')}
        extra={t('form.targetPort.hint', { host: props.host })}
        rules={rules(fields.adminPort)}
      >
        <Input inputMode="numeric" autoComplete="off" style={{ maxWidth: 160 }} />
      </Form.Item>
      <Form.Item name="kind" label={t('form.kind')}>
        <Radio.Group
          options={(['open', 'rules'] as const).map((value) => ({ value, label: t(`form.kind.${value}`) }))}
        />
      </Form.Item>
      <div hidden={kind === 'open'}>
        <RulesField address={props.address} isUsed={kind === 'rules'} matches={['address', 'country']} />
        <Form.Item name="otherwise" label={t('form.otherwise')}>
          <Select
            options={(['allow', 'deny'] as const).map((value) => ({
              value,
              label: t(`form.otherwise.${value}`),
            }))}
          />
        </Form.Item>
      </div>
      <Form.Item name="proxyProtocol" valuePropName="checked" extra={t('form.proxyProtocol.hint')}>
        <Checkbox>{t('form.proxyProtocol')}</Checkbox>
      </Form.Item>
    </>
  );
}
