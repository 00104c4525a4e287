import { useSyncExternalStore } from 'react';

/** The open request for a step-up. All calls that need one at the same time share it. */
let request: { readonly promise: Promise<boolean>; readonly resolve: (isDone: boolean) => void } | null =
  null;
const listeners = new Set<() => void>();

function change(next: typeof request): void {
  request = next;
  for (const listener of listeners) listener();
}

/**
 * Has users prove their identity again in a dialog.
 * @returns whether they did; false at once where nothing shows the dialog, as on the sign-in page
 */
export function requestStepUp(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false);
  if (!request) change(Promise.withResolvers<boolean>());
  return request?.promise ?? Promise.resolve(false);
}

/** Ends the open request, if there is one. */
export function endStepUp(isDone: boolean): void {
  if (!request) return;
  const { resolve } = request;
  change(null);
  resolve(isDone);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a step-up is requested; for the component that shows the dialog. */
export const useStepUpRequested = (): boolean => useSyncExternalStore(subscribe, () => request !== null);
