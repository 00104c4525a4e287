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

/** Tells when the record that a dialog asks about has been deleted elsewhere. */
export function WhileThere<T>(props: {
  readonly record: T;
  readonly query: FetchQueryOptions<T, ApiError>;
  readonly onGone: () => void;
}) {
  const { isGone } = useLatest(props.record, props.query, true);
  useEffect(() => {
    if (isGone) props.onGone();
  }, [isGone]);
  return null;
}
