import { Form, useSubmit } from '@talpa/panel-kit/form';
import { type ReactNode, useState } from 'react';
import { AuthForm } from './auth-form.tsx';
import type { OneTimeLink } from './one-time-link-page.tsx';
import { Outcome } from './outcome.tsx';
import { useAuthTexts } from './texts.ts';

/** The form of a page that a link leads to: what it asks for, one button, and the outcome in place of the form. */
export function OneTimeLinkForm<Values extends object>(props: {
  readonly link: OneTimeLink;
  /** The prefix of the form's texts. */
  readonly texts: 'notMe' | 'unsubscribe' | 'verify';
  readonly call: (token: string, values: Values) => Promise<unknown>;
  /** In place of its `doneText`. */
  readonly doneText?: string;
  /** Where the outcome leads, and what stands on that link. */
  readonly to: string;
  readonly next: string;
  readonly danger?: boolean;
  readonly children: ReactNode;
}) {
  const { link, texts } = props;
  const t = useAuthTexts();
  const [form] = Form.useForm<Values>();
  const [isDone, setIsDone] = useState(false);
  const { submit, pending, problem } = useSubmit(form, async (values: Values) =>
    setIsDone(await link.use(() => props.call(link.token, values))),
  );
  if (isDone)
    return (
      <Outcome
        type="success"
        title={t(`link.${texts}.done`)}
        text={props.doneText ?? t(`link.${texts}.doneText`)}
        to={props.to}
        next={props.next}
      />
    );
  return (
    <AuthForm
      form={form}
      onSubmit={submit}
      error={problem}
      errorTitle={t(`link.${texts}.failed`)}
      submit={t(pending ? `link.${texts}.pending` : `link.${texts}.submit`)}
      pending={pending}
      danger={props.danger ?? false}
    >
      {props.children}
    </AuthForm>
  );
}
