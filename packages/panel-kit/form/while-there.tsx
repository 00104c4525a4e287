import type { FetchQueryOptions } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ApiError } from '../core/api/api-error.ts';
import { useKitTexts } from '../core/texts/kit-texts.ts';
import { useToast } from '../core/toasts.ts';
import { useLatest } from './use-latest.ts';

/** Closes a dialog whose record has been deleted elsewhere, and says so: there is nothing left to ask about. */
export function useCloseGone(onClose: () => void): () => void {
  const t = useKitTexts();
  const toast = useToast();
  return () => {
    toast({ title: t('gone.title'), tone: 'info' });
    onClose();
  };
}

/** Shows when the record that a dialog asks about was deleted elsewhere, or no longer needs what it asks. */
export function WhileThere<T>(props: {
  readonly record: T;
  readonly query: FetchQueryOptions<T, ApiError>;
  readonly onGone: () => void;
  /** Whether somebody else has done to the record what the dialog asks about. */
  readonly isDone?: (record: T) => boolean;
  readonly onDone?: () => void;
}) {
  const { record, isGone } = useLatest(props.record, props.query, true);
  const isDone = !isGone && (props.isDone?.(record) ?? false);
  useEffect(() => {
    if (isGone) props.onGone();
    else if (isDone) props.onDone?.();
  }, [isGone, isDone]);
  return null;
}
