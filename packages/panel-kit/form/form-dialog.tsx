import { Alert, Form, type FormInstance } from 'antd';
import { type ReactNode, type RefCallback, useRef, useState } from 'react';
import { ApiError } from '../core/api/api-error.ts';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { useUnsaved } from '../core/unsaved.ts';
import styles from './dialog.module.css';
import { Dialog } from './dialog.tsx';
import { differs } from './differs.ts';
import {
  type ConflictChoice,
  type ConflictHandle,
  type DescribeField,
  EditConflict,
} from './edit-conflict.tsx';
import { LeaveDialog } from './leave-dialog.tsx';
import { type Base, useBase } from './use-base.ts';
import { useOpening } from './use-opening.ts';
import { clearErrors, focusFirstError, useSubmit } from './use-submit.ts';

interface Props<Values extends object> {
  readonly open: boolean;
  readonly title: string;
  readonly submit: string;
  /** The title of an error that belongs to no field. */
  readonly failed: string;
  /** Shows an error that belongs to no field; without it the error stands above the form. */
  readonly onFailure?: (message: string) => void;
  /** Shown while the submit is running, for work that takes a while. */
  readonly progress?: ReactNode;
  /** In px; a dialog's usual width when left out. */
  readonly width?: number;
  /** Whether what it does is destructive. */
  readonly danger?: boolean;
  /** Whether closing asks when something was typed; true when left out. */
  readonly asks?: boolean;
  /** The record's values as they are now; a new record's first values. */
  readonly values: Partial<Values>;
  /** How a changed field of the record is shown; needed where `values` can change while the dialog is open. */
  readonly describe?: DescribeField;
  /** Why it cannot be sent now. It may become possible again, so that what was typed stays. */
  readonly stopped?: { readonly title: string; readonly text: string } | null;
  /** The record has been deleted elsewhere: there is nothing left to save. */
  readonly isGone?: boolean;
  /** Fetches the record again after the server has refused an edit of an outdated version. */
  readonly onOutdated?: () => Promise<unknown>;
  /** Called when its own rules or the server refuse the form, so that other faults can be marked too. */
  readonly onRefused?: (form: FormInstance<Values>, error?: Error) => void;
  /** @param base the values the form started from, which the server compares with the stored ones */
  readonly onSubmit: (values: Values, base: Partial<Values>) => Promise<unknown>;
  readonly onClose: () => void;
  /** The fields; `Form.useFormInstance` gives them the form. */
  readonly children: ReactNode;
}

/**
 * A form in a dialog, for one record and one version of it. Its state begins with each opening and ends with it.
 * When the record changes meanwhile an untouched form follows, otherwise the user chooses. `onSubmit` may fail:
 * fields the server names are marked, anything else is shown once, and what was typed stays.
 */
export function FormDialog<Values extends object>(props: Props<Values>) {
  const opening = useOpening(props.open);
  return opening > 0 && <OpenedDialog key={opening} {...props} />;
}

function OpenedDialog<Values extends object>(props: Props<Values>) {
  const t = useKitTexts();
  const [form] = Form.useForm<Values>();
  const conflict = useRef<ConflictHandle>(null);
  const lastTyped = useRef<string | null>(null);
  const clear = clearErrors(form);
  const send = async (values: Values): Promise<unknown> => {
    return await props.onSubmit(values, base.values).catch(async (error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'edit_conflict')) {
        props.onRefused?.(form, error as Error);
        throw error;
      }
      await props.onOutdated?.();
    });
  };
  const { submit, pending, problem } = useSubmit(form, send, props.onFailure);
  const base: Base<Values> = useBase(form, props.values, pending || !props.open);
  const isGone = props.isGone ?? false;
  const stopped = isGone ? null : (props.stopped ?? null);
  const asks = (props.asks ?? true) && !isGone;
  const [asking, setAsking] = useState(false);
  const isUnsaved = () => props.open && asks && differs(form.getFieldsValue() as object, base.values);
  useUnsaved(isUnsaved);
  const focusAfter = (choice: ConflictChoice) => {
    const name = (choice === 'mine' && lastTyped.current) || base.conflict[0]?.name;
    if (name) focusField(form, name);
  };
  const finish = (values: Values) => {
    if (base.conflict.length > 0) conflict.current?.ask();
    else if (!stopped) submit(values);
  };
  const close = () => {
    if (isUnsaved()) setAsking(true);
    else props.onClose();
  };
  return (
    <>
      <Dialog
        open={props.open}
        title={props.title}
        okText={props.submit}
        cancelText={t('cancel')}
        confirmLoading={pending}
        okButtonProps={{ danger: props.danger ?? false, disabled: isGone || stopped !== null }}
        cancelButtonProps={{ disabled: pending }}
        closable={!pending && { 'aria-label': t('close') }}
        mask={{ closable: !pending }}
        keyboard={!pending && !asking}
        onOk={() => form.submit()}
        onCancel={close}
        destroyOnHidden
        width={props.width ?? 520}
      >
        {problem && (
          <div ref={bringIntoView}>
            <Alert type="error" showIcon title={props.failed} description={problem} role="alert" />
          </div>
        )}
        {isGone && (
          <Alert
            className={styles.notice ?? ''}
            type="error"
            showIcon
            title={t('gone.title')}
            description={t('gone.text')}
            role="alert"
          />
        )}
        {stopped && (
          <Alert
            className={styles.notice ?? ''}
            type="error"
            showIcon
            title={stopped.title}
            description={stopped.text}
            role="alert"
          />
        )}
        {props.describe && !isGone && (
          <EditConflict base={base} describe={props.describe} onChosen={focusAfter} ref={conflict} />
        )}
        <Form<Values>
          noValidate
          form={form}
          layout="vertical"
          requiredMark={false}
          disabled={pending || isGone}
          initialValues={base.values}
          onValuesChange={(changed: Partial<Values>) => {
            lastTyped.current = Object.keys(changed)[0] ?? null;
            clear(changed);
          }}
          onFinish={finish}
          onFinishFailed={(refusal) => {
            focusFirstError(form)(refusal);
            props.onRefused?.(form);
          }}
          preserve
          style={{ marginTop: 16, paddingBottom: 8 }}
        >
          {props.children}
          {/* Enter submits, wherever the visible button stands. */}
          <button type="submit" hidden aria-hidden tabIndex={-1} />
        </Form>
        {pending && props.progress}
      </Dialog>
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

/** Focuses a field by its name, which is that of a property: antd types the names of one form's values alone. */
const focusField = (form: FormInstance, name: string) => form.focusField(name);

/** Who has sent a long form is at its end. */
const bringIntoView: RefCallback<HTMLElement> = (element) => element?.scrollIntoView({ block: 'nearest' });
