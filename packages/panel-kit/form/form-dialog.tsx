import { Alert, Form, type FormInstance, Modal } from 'antd';
import { type ReactNode, useState } from 'react';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { useUnsaved } from '../core/unsaved.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { differs, useDirty } from './use-dirty.ts';
import { focusFirstError, useSubmit } from './use-submit.ts';

/**
 * A form in a dialog. `onSubmit` may fail: fields the server names are marked, anything else stands above
 * the form, and what was typed stays. Closing asks when something was typed, and forgets everything.
 */
export function FormDialog<Values extends object>(props: {
  readonly open: boolean;
  readonly title: string;
  readonly submit: string;
  /** The title of an error that belongs to no field. */
  readonly failed: string;
  /** Shown while the submit is running, for work that takes a while. */
  readonly progress?: ReactNode;
  /** Whether what it does hurts. */
  readonly danger?: boolean;
  /** Whether closing asks when something was typed; true when left out. */
  readonly asks?: boolean;
  readonly initialValues: Partial<Values>;
  readonly form: FormInstance<Values>;
  readonly onSubmit: (values: Values) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const t = useKitTexts();
  const { submit, pending, problem, forgetProblem } = useSubmit(props.form, props.onSubmit);
  const asks = props.asks ?? true;
  const isDirty = useDirty(props.form, props.initialValues) && props.open && asks;
  const [asking, setAsking] = useState(false);
  useUnsaved(isDirty);
  const close = () => {
    // Asked of the form itself: what was typed last may not have been drawn yet.
    if (asks && differs(props.form.getFieldsValue() as object, props.initialValues)) setAsking(true);
    else props.onClose();
  };
  return (
    <>
      <Modal
        open={props.open}
        title={props.title}
        okText={props.submit}
        cancelText={t('cancel')}
        confirmLoading={pending}
        okButtonProps={{ danger: props.danger ?? false }}
        cancelButtonProps={{ disabled: pending }}
        closable={!pending && { 'aria-label': t('close') }}
        mask={{ closable: !pending }}
        keyboard={!pending && !asking}
        onOk={() => props.form.submit()}
        onCancel={close}
        afterClose={() => {
          props.form.resetFields();
          forgetProblem();
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
          onFinish={submit}
          onFinishFailed={focusFirstError(props.form)}
          preserve
          style={{ marginTop: 16, paddingBottom: 8 }}
        >
          {props.children}
          {/* Enter submits, wherever the visible button stands. */}
          <button type="submit" hidden aria-hidden tabIndex={-1} />
        </Form>
        {pending && props.progress}
      </Modal>
      <LeaveDialog
        open={asking && props.open}
        onStay={() => setAsking(false)}
        onLeave={() => {
          setAsking(false);
          props.onClose();
        }}
      />
    </>
  );
}
