import { Alert, Form, type FormInstance, Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../core/api/api-error.ts';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { showServerIssues } from './server-issues.ts';

/**
 * A form in a dialog. `onSubmit` may fail: fields the server names are marked, anything else stands above
 * the form, and what was typed stays. Closing forgets everything.
 */
export function FormDialog<Values extends object>(props: {
  readonly open: boolean;
  readonly title: string;
  readonly submit: string;
  /** The title of an error that belongs to no field. */
  readonly failed: string;
  /** Shown while the submit is running, for work that takes a while. */
  readonly progress?: ReactNode;
  readonly initialValues: Partial<Values>;
  readonly form: FormInstance<Values>;
  readonly onSubmit: (values: Values) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const t = useKitTexts();
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (values: Values) => {
    setProblem(null);
    setPending(true);
    try {
      await props.onSubmit(values);
    } catch (error) {
      if (!(error instanceof ApiError) || !showServerIssues(props.form, error))
        setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <Modal
      open={props.open}
      title={props.title}
      okText={props.submit}
      cancelText={t('cancel')}
      confirmLoading={pending}
      cancelButtonProps={{ disabled: pending }}
      closable={!pending && { 'aria-label': t('close') }}
      maskClosable={false}
      keyboard={!pending}
      onOk={() => props.form.submit()}
      onCancel={props.onClose}
      afterClose={() => {
        props.form.resetFields();
        setProblem(null);
      }}
      destroyOnHidden
      width={520}
    >
      {problem && <Alert type="error" showIcon title={props.failed} description={problem} role="alert" />}
      <Form<Values>
        form={props.form}
        layout="vertical"
        requiredMark={false}
        disabled={pending}
        initialValues={props.initialValues}
        onFinish={(values) => void submit(values)}
        onFinishFailed={({ errorFields: [first] }) => first && props.form.focusField(first.name)}
        preserve
        style={{ marginTop: 16 }}
      >
        {props.children}
        {/* Enter submits, wherever the visible button stands. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </Form>
      {pending && props.progress}
    </Modal>
  );
}
