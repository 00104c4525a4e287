import type { Language } from '@talpa/contracts/language';
import { useCallback, useSyncExternalStore } from 'react';
import { useLanguage } from './texts/language.ts';

export interface ToastContent {
  readonly title: string;
  readonly text?: string;
  readonly tone?: 'success' | 'error' | 'info';
}
export interface ShownToast extends ToastContent {
  readonly id: number;
  readonly open: boolean;
  /** What its texts are written in. */
  readonly language: Language;
}
/** What its sender can do with a toast. */
export interface ToastHandle {
  readonly id: number;
  update(content: ToastContent): void;
  dismiss(): void;
}

const visibleAtMost = 1;
/** How long a dismissed toast stays in memory, in ms. */
const removedAfter = 1_000_000;

let toasts: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly ShownToast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Shows toasts, marked with the language of the page that calls it. Each replaces the one before. */
export function useToast(): (content: ToastContent) => ToastHandle {
  const language = useLanguage();
  return useCallback((content) => show(content, language), [language]);
}

function show(content: ToastContent, language: Language): ToastHandle {
  lastId += 1;
  const id = lastId;
  change([{ ...content, id, open: true, language }, ...toasts].slice(0, visibleAtMost));
  return {
    id,
    update: (next) => change(toasts.map((shown) => (shown.id === id ? { ...shown, ...next } : shown))),
    dismiss: () => dismissToast(id),
  };
}

/** Closes a toast; it is forgotten later. */
export function dismissToast(id: number): void {
  change(toasts.map((shown) => (shown.id === id ? { ...shown, open: false } : shown)));
  setTimeout(() => removeToast(id), removedAfter);
}

/** Closes all toasts: what they say belongs to a session that is over. */
export function dismissToasts(): void {
  for (const { id, open } of toasts) if (open) dismissToast(id);
}

/** Forgets a toast at once. */
export function removeToast(id: number): void {
  change(toasts.filter((shown) => shown.id !== id));
}

/** The toasts to be shown, the newest first. */
export function useToasts(): readonly ShownToast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
}
