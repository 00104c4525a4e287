import { originDefaults } from '@talpa/contracts/panels';
import { Checkbox, Fold, Form, fields, Input, useFieldRules } from '@talpa/panel-kit/form';
import { useState } from 'react';
import type { ProxyValues } from './proxy-values.ts';
import { useProxyTexts } from './texts.ts';

const entries = ['verifyCertificate', 'originServerName', 'httpHostHeader', 'http2Origin'] as const;
/** Whether something is chosen that is hidden while the fold is closed. */
const hasChosen = (values: Partial<ProxyValues>) =>
  entries.some((entry) => (values[entry] || null) !== (originDefaults[entry] || null));

/** How the connector speaks to the admin panel, which few have to know. */
export function OriginFields() {
  const t = useProxyTexts();
  const rules = useFieldRules();
  const form = Form.useFormInstance<ProxyValues>();
  const isHttps = Form.useWatch('originProtocol', form) === 'https';
  const [refusals, setRefusals] = useState(0);
  /** The rules of a field, which is shown when they refuse it. */
  const shownIfWrong = (schema: typeof fields.httpHostHeader) => [
    ...rules(schema),
    {
      validator: async (_rule: unknown, value: unknown) => {
        if (!schema.safeParse(value).success) setRefusals((count) => count + 1);
      },
    },
  ];
  return (
    <Fold title={t('field.advanced')} startsOpen={hasChosen(form.getFieldsValue(true))} opensAt={refusals}>
      <div hidden={!isHttps}>
        <Form.Item name="verifyCertificate" valuePropName="checked" extra={t('field.verifyCertificate.hint')}>
          <Checkbox>{t('field.verifyCertificate')}</Checkbox>
        </Form.Item>
        <Form.Item
          name="originServerName"
          label={t('field.originServerName')}
          extra={t('field.originServerName.hint')}
          rules={isHttps ? shownIfWrong(fields.originServerName) : []}
        >
          <Input inputMode="url" autoCapitalize="none" spellCheck={false} />
        </Form.Item>
      </div>
      <Form.Item
        name="httpHostHeader"
        label={t('field.httpHostHeader')}
        extra={t('field.httpHostHeader.hint')}
        rules={shownIfWrong(fields.httpHostHeader)}
      >
        <Input inputMode="url" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="http2Origin"
        valuePropName="checked"
        extra={t('field.http2Origin.hint')}
        hidden={!isHttps}
      >
        <Checkbox>{t('field.http2Origin')}</Checkbox>
      </Form.Item>
    </Fold>
  );
}
