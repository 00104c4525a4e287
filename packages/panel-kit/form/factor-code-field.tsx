import { Form, Input } from 'antd';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { useFieldRules } from './field-rules.ts';
import { fields } from './fields.ts';

/** The field `code` of a form: a code of the authenticator app, or a recovery code. */
export function FactorCodeField() {
  const t = useKitTexts();
  const rules = useFieldRules();
  return (
    <Form.Item
      name="code"
      label={t('factorCode')}
      extra={t('factorCode.hint')}
      rules={rules(fields.factorCode)}
    >
      <Input autoComplete="one-time-code" autoCapitalize="none" spellCheck={false} />
    </Form.Item>
  );
}
