import { useMemo, useSyncExternalStore } from 'react';
import { formatAgo, formatLasting } from './format.ts';
import { useKitTexts } from './texts/kit-texts.ts';
import { useLanguage } from './texts/language.ts';

/** How often what shows the time is drawn again, in ms. */
const tickMs = 10_000;
const watchers = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const watcher of watchers) watcher();
}

/** One timer for everything on the screen, and none when nothing shows the time. */
function watch(watcher: () => void): () => void {
  if (watchers.size === 0) {
    timer = setInterval(tick, tickMs);
    now = Date.now();
  }
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0) clearInterval(timer);
  };
}

/** The time in ms, updated every few seconds. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now);
}

/** Says how long ago a moment was, and goes on saying it right: „vor 2 Minuten“. */
export function useAgo(): (time: string) => string {
  const t = useKitTexts();
  const language = useLanguage();
  const current = useNow();
  return useMemo(
    () => (time) => formatAgo(time, current, language) ?? t('momentAgo'),
    [t, language, current],
  );
}

/** Says for how long something has lasted, and goes on saying it right: „2 Tagen“, after „seit“. */
export function useLasting(): (time: string) => string {
  const language = useLanguage();
  const current = useNow();
  return (time) => formatLasting(time, current, language);
}
