import { type Language, languages } from '@talpa/contracts/language';
import i18next from 'i18next';
import { createContext, useContext, useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import { readStored, store as storeText } from '../storage.ts';

/** A missing text is logged, and its key is shown in its place. */
export const i18n = i18next.createInstance();
void i18n.init({
  lng: 'de',
  fallbackLng: false,
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  initAsync: false,
  saveMissing: true,
  missingKeyHandler: (_languages, namespace, key) => console.error(`missing text: ${namespace} ${key}`),
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
});

const storageKey = 'language';
const isLanguage = (text: string | null): text is Language => languages.some((known) => known === text);

/** The panel's language now. */
export function currentLanguage(): Language {
  return isLanguage(i18n.language) ? i18n.language : 'de';
}

/** Starts in the stored language, or else in the given one, and follows the browser's other tabs. Once in the panel. */
export function startLanguage(fallback: Language): void {
  const stored = readStored(storageKey);
  setLanguage(isLanguage(stored) ? stored : fallback, { store: false });
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === storageKey && isLanguage(newValue)) setLanguage(newValue, { store: false });
  });
}

/** Switches the panel's language and stores it. */
export function setLanguage(language: Language, { store = true } = {}): void {
  if (store) storeText(storageKey, language);
  document.documentElement.lang = language;
  void i18n.changeLanguage(language);
}

function subscribe(changed: () => void): () => void {
  i18n.on('languageChanged', changed);
  return () => i18n.off('languageChanged', changed);
}

/** Fixes the language of a part of the panel, whatever the rest speaks (the admin pages are German). */
export const LanguageScope = createContext<Language | null>(null);

/** The language texts are shown in here. */
export function useLanguage(): Language {
  const panel = useSyncExternalStore(subscribe, currentLanguage, currentLanguage);
  return useContext(LanguageScope) ?? panel;
}

/** Does something when the language changes: what the server said in the other one is forgotten, or asked for again. */
export function useLanguageChange(work: () => void): void {
  const language = useLanguage();
  const shown = useRef(language);
  const change = useEffectEvent(work);
  useEffect(() => {
    if (shown.current === language) return;
    shown.current = language;
    change();
  }, [language]);
}
