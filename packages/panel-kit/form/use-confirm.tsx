import type { FetchQueryOptions } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../core/api/api-error.ts';
import { useToast } from '../core/toasts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { useCloseGone, WhileThere } from './while-there.tsx';

/** A change of the panel, as `useApiMutation` gives it. */
interface Change<Input, Output> {
  readonly isPending: boolean;
  mutateAsync(input: Input): Promise<Output>;
}

/** What is asked about a record, and what follows from the answer. */
interface Question<Subject, Input, Output> {
  readonly title: string;
  readonly text: ReactNode;
  /** What the button says that begins the change. */
  readonly confirm: string;
  /** Whether the change is destructive; true when left out. */
  readonly danger?: boolean;
  readonly input: Input;
  readonly done?: { readonly title: string; readonly text?: string };
  /** The title of the toast that says why it failed. */
  readonly failed: string;
  /** The record's query, where somebody else may delete the record meanwhile. */
  readonly query?: FetchQueryOptions<Subject, ApiError>;
  /** Whether somebody else has done it meanwhile, and what says so. */
  readonly already?: { readonly isDone: (record: Subject) => boolean; readonly title: string };
  readonly onStart?: (() => void) | undefined;
  readonly onDone?: (output: Output) => void;
  readonly onFailed?: () => void;
  readonly onClose?: () => void;
}

interface Confirm<Subject> {
  /** Opens the dialog. */
  readonly ask: (about: Subject) => void;
  /** What the open dialog asks about; null while it is closed. */
  readonly asked: Subject | null;
  readonly dialog: ReactNode;
}

/**
 * Asks before a change, runs it once, and says how it ended. A failure leaves the dialog open; it closes by itself when
 * the record has been deleted elsewhere.
 * @param question runs with each render, so that an open dialog follows the language and the record
 */
export function useConfirm<Input, Output, Subject = void>(
  change: Change<Input, Output>,
  question: (about: Subject) => Question<Subject, Input, Output>,
): Confirm<Subject> {
  const toast = useToast();
  // Kept while the dialog closes, so that it does not go blank.
  const [kept, setKept] = useState<{ readonly about: Subject } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const asks = kept && question(kept.about);
  const close = () => {
    setOpen(false);
    asks?.onClose?.();
  };
  const closeGone = useCloseGone(close);
  const closeDone = () => {
    if (asks?.already) toast({ title: asks.already.title, tone: 'info' });
    close();
  };
  const run = ({ input, done, failed, ...then }: Question<Subject, Input, Output>) => {
    then.onStart?.();
    change.mutateAsync(input).then(
      (output) => {
        close();
        then.onDone?.(output);
        if (done) toast({ ...done, tone: 'success' });
      },
      ({ message, status }: ApiError) => {
        then.onFailed?.();
        // What was wanted has come true.
        if (then.query && status === 404) closeGone();
        else toast({ title: failed, text: message, tone: 'error' });
      },
    );
  };
  const { isPending } = change;
  return {
    ask: (about) => {
      setKept({ about });
      setOpen(true);
    },
    asked: isOpen && kept ? kept.about : null,
    dialog: asks && (
      <ConfirmDialog
        open={isOpen}
        title={asks.title}
        confirm={asks.confirm}
        danger={asks.danger ?? true}
        pending={isPending}
        onConfirm={() => run(asks)}
        onCancel={close}
      >
        {asks.text}
        {asks.query && isOpen && !isPending && (
          <WhileThere
            record={kept.about}
            query={asks.query}
            onGone={closeGone}
            {...(asks.already && { isDone: asks.already.isDone, onDone: closeDone })}
          />
        )}
      </ConfirmDialog>
    ),
  };
}
