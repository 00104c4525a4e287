import { Alert, Form, Input } from 'antd';
import { useState } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { toast } from '../core/toasts.ts';
import { useFieldRules } from './field-rules.ts';
import { fields } from './fields.ts';
import { FormDialog } from './form-dialog.tsx';

const longestReason = 300;

interface Props {
  readonly open: boolean;
  readonly title: string;
  readonly submit: string;
  readonly failed: string;
  /** What happens then. */
  readonly effect: string;
  /** The present reason; null when it is not suspended. */
  readonly reason: string | null;
  readonly onSubmit: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks an administrator for the reason of a suspension, and says what it does. */
export function SuspensionForm(props: Props) {
  const shown = useAsOpened(props);
  const t = useKitTexts();
  const rules = useFieldRules();
  const [form] = Form.useForm<{ reason: string }>();
  const submit = async ({ reason }: { reason: string }) => {
    try {
      await props.onSubmit(reason);
    } catch (error) {
      toast({ title: props.failed, text: error instanceof Error ? error.message : '', tone: 'error' });
      throw error;
    }
  };
  return (
    <FormDialog<{ reason: string }>
      open={props.open}
      title={shown.title}
      submit={shown.submit}
      failed={shown.failed}
      initialValues={{ reason: shown.reason ?? '' }}
      form={form}
      onSubmit={submit}
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
        // A reason is one line, however it was pasted.
        normalize={(text: string) => text.replace(/\s*[\r\n]+\s*/g, ' ')}
      >
        <Input.TextArea
          autoFocus
          // Not autoSize: it measures with an inline style, which the page’s policy forbids.
          rows={3}
          maxLength={longestReason}
          showCount
          onPressEnter={(event) => {
            event.preventDefault();
            form.submit();
          }}
        />
      </Form.Item>
    </FormDialog>
  );
}

/** What it said when it was opened: it goes on saying so while it closes, when all has changed. */
function useAsOpened(props: Props): Props {
  const [opened, setOpened] = useState(props);
  if (props.open && !opened.open) setOpened(props);
  if (!props.open && opened.open) setOpened({ ...opened, open: false });
  return opened;
}
