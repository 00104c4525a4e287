import { Alert, Form } from 'antd';
import { type ReactNode, useState } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { useFieldRules } from './field-rules.ts';
import { fields } from './fields.ts';
import { FormDialog } from './form-dialog.tsx';
import { inOneLine, ParagraphInput } from './paragraph-input.tsx';

const longestReason = 300;

interface Props {
  readonly open: boolean;
  readonly title: string;
  readonly submit: string;
  readonly failed: string;
  /** What happens then. */
  readonly effect: ReactNode;
  /** The present reason; null when it is not suspended. */
  readonly reason: string | null;
  readonly isGone: boolean;
  /** Fetches the record again after the server has refused to overwrite another administrator's reason. */
  readonly onOutdated: () => Promise<unknown>;
  /** @param expected the reason that the form started from; null: not suspended */
  readonly onSubmit: (reason: string, expected: string | null) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks an administrator for the reason of a suspension, and says what it does. */
export function SuspensionForm(props: Props) {
  const [isSaving, setSaving] = useState(false);
  const shown = useShown(props, isSaving);
  const t = useKitTexts();
  const rules = useFieldRules();
  return (
    <FormDialog<{ reason: string }>
      open={props.open}
      title={shown.title}
      submit={shown.submit}
      failed={shown.failed}
      // As it is now: the form says when another administrator changes it.
      values={{ reason: props.reason ?? '' }}
      isGone={props.isGone}
      describe={(_name, value) => ({ label: t('suspension.reason'), text: String(value) })}
      onOutdated={props.onOutdated}
      onSubmit={({ reason }, base) => {
        setSaving(true);
        return props.onSubmit(reason, base.reason || null).finally(() => setSaving(false));
      }}
      onClose={props.onClose}
    >
      {shown.reason === null && (
        <Alert
          type="warning"
          showIcon
          title={t('suspension.effect')}
          description={shown.effect}
          style={{ marginBottom: 20 }}
        />
      )}
      <Form.Item
        name="reason"
        label={t('suspension.reason')}
        extra={t('suspension.reason.hint')}
        rules={rules(fields.suspensionReason)}
        normalize={inOneLine}
      >
        <ParagraphInput maxLength={longestReason} />
      </Form.Item>
    </FormDialog>
  );
}

/** The words of the dialog follow the record, but not while the own change is saved and the dialog closes. */
function useShown(props: Props, isSaving: boolean): Props {
  const [shown, setShown] = useState(props);
  const hasChanged = shown.reason !== props.reason || shown.title !== props.title;
  if (props.open && !isSaving && hasChanged) setShown(props);
  return shown;
}
