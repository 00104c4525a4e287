import { useSyncExternalStore } from 'react';
import { type AccentColor, type Appearance, accentHues } from './accents.ts';
import { readStored, store } from './storage.ts';

const initial: Appearance = { theme: 'dark', accentColor: 'purple' };

let appearance = stored();
const listeners = new Set<() => void>();

function stored(): Appearance {
  const [theme, accentColor] = (readStored('appearance') ?? '').split(' ');
  return {
    theme: theme === 'light' ? 'light' : initial.theme,
    accentColor:
      accentColor && Object.hasOwn(accentHues, accentColor)
        ? (accentColor as AccentColor)
        : initial.accentColor,
  };
}

/** Shows the panel in another theme or accent; kept locally so that the next first paint is right. */
export function setAppearance(next: Appearance): void {
  if (next.theme === appearance.theme && next.accentColor === appearance.accentColor) return;
  appearance = next;
  store('appearance', `${next.theme} ${next.accentColor}`);
  document.documentElement.dataset.theme = next.theme;
  for (const listener of listeners) listener();
}

/** The theme and accent now shown. */
export function useAppearance(): Appearance {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => appearance,
  );
}
