import type { FormInstance } from 'antd';
import { useRef, useState } from 'react';
import { ApiError } from '../core/api/api-error.ts';
import { useLanguageChange } from '../core/texts/language.ts';
import { dismissToasts } from '../core/toasts.ts';
import { showServerIssues } from './server-issues.ts';

/** What every form of the panel does when it is sent. */
export interface Submission<V> {
  /** Sends; does nothing while it is being sent already, however often Enter or the button is pressed. */
  readonly submit: (values: V) => void;
  readonly pending: boolean;
  /** Why it was refused, where no field is to blame and nothing else shows it. */
  readonly problem: string | null;
}

/**
 * Sends a form, once at a time. When it is refused what was typed stays, the fields the server names are
 * marked and the first of them has the focus; else the focus returns to where it was. A session that has ended
 * is no error of the form: the panel leads to the sign-in page.
 * @param onFailure shows an error that belongs to no field; without it `problem` holds the message
 */
export function useSubmit<V extends object>(
  form: FormInstance<V>,
  send: (values: V) => Promise<unknown>,
  onFailure?: (message: string) => void,
): Submission<V> {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef(false);
  // What is wrong is said again; what the server alone knows is forgotten.
  useLanguageChange(() => {
    setProblem(null);
    const wrong = form.getFieldsError().filter(({ errors }) => errors.length > 0);
    if (wrong.length > 0) void form.validateFields(wrong.map(({ name }) => name)).catch(() => {});
  });
  const run = async (values: V) => {
    if (running.current) return;
    running.current = true;
    const focused = document.activeElement;
    // What a toast says of the form before would hang over what is said of this one.
    dismissToasts();
    setProblem(null);
    setPending(true);
    try {
      await send(values);
    } catch (error) {
      if (isSessionOver(error)) return;
      const isMarked = error instanceof ApiError && showServerIssues(form, error);
      if (!isMarked) {
        (onFailure ?? setProblem)(error instanceof Error ? error.message : String(error));
        // A form that was waiting takes the focus only when it is enabled again.
        setTimeout(() => focused instanceof HTMLElement && focusIsNowhere() && focused.focus());
      }
    } finally {
      running.current = false;
      setPending(false);
    }
  };
  return {
    submit: (values) => void run(values),
    pending,
    problem,
  };
}

const isSessionOver = (error: unknown) => error instanceof ApiError && error.code === 'not_signed_in';

const focusIsNowhere = () => document.activeElement === null || document.activeElement === document.body;

/** Focuses the first field that is wrong. */
export function focusFirstError(form: FormInstance) {
  return ({ errorFields: [first] }: { readonly errorFields: readonly { readonly name: unknown[] }[] }) => {
    dismissToasts();
    if (first) form.focusField(first.name);
  };
}

/** What is wrong with a field is forgotten when somebody types there. */
export function clearErrors(form: FormInstance) {
  return (changed: object) => form.setFields(Object.keys(changed).map((name) => ({ name, errors: [] })));
}
