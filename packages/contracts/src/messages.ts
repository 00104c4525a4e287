import { fill, type Language, type Text, type TextParams } from './language.ts';

/** Texts a response carries for people beside errors. */
export const messageTexts = {
  proxyCreated: {
    de: 'Der Proxy „{name}“ wurde angelegt. Der Tunnel ist bereit.',
    en: 'The proxy “{name}” has been created. Its tunnel is ready.',
  },
  proxyPending: {
    de: 'Der Proxy „{name}“ wurde angelegt. Der Tunnel wird noch eingerichtet.',
    en: 'The proxy “{name}” has been created. Its tunnel is still being set up.',
  },
} as const satisfies Record<string, Text>;

/** A message of a response in the caller's language. */
export function messageText(key: keyof typeof messageTexts, language: Language, params?: TextParams): string {
  return fill(messageTexts[key][language], params);
}
