import { clearErrors, Form, type FormInstance, focusFirstError } from '@talpa/panel-kit/form';
import { Alert, Button } from '@talpa/panel-kit/ui';
import type { ReactNode } from 'react';
import styles from './auth-page.module.css';

/** A form for people who are not signed in: why it was refused, its fields, and one button. */
export function AuthForm<Values extends object>(props: {
  readonly form: FormInstance<Values>;
  readonly onSubmit: (values: Values) => void;
  /** Null or undefined: it was not refused, or its fields say why. */
  readonly error?: string | null | undefined;
  readonly errorTitle: string;
  /** What stands on the button. */
  readonly submit: string;
  readonly pending: boolean;
  readonly danger?: boolean;
  readonly children: ReactNode;
  /** Below the button: what to do when the form does not help. */
  readonly footer?: ReactNode;
}) {
  const { form, error } = props;
  return (
    <Form<Values>
      noValidate
      className={styles.form ?? ''}
      form={form}
      layout="vertical"
      requiredMark={false}
      validateTrigger="onSubmit"
      onFinish={props.onSubmit}
      onFinishFailed={focusFirstError(form)}
      onValuesChange={clearErrors(form)}
    >
      {error && (
        <Alert
          className={styles.notice ?? ''}
          type="error"
          showIcon
          title={props.errorTitle}
          description={error}
          role="alert"
        />
      )}
      {props.children}
      <Button
        type="primary"
        danger={props.danger ?? false}
        size="large"
        htmlType="submit"
        block
        loading={props.pending}
      >
        {props.submit}
      </Button>
      {props.footer}
    </Form>
  );
}
