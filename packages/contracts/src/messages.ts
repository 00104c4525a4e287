import { fill, type Language, type Text, type TextParams } from './language.ts';

/** Texts an answer carries for people beside errors. */
const messages = {
  proxyCreated: {
    de: 'Der Proxy «{name}» wurde angelegt, sein Tunnel ist bereit.',
    en: 'The proxy “{name}” was created and its tunnel is ready.',
  },
  proxyPending: {
    de: 'Der Proxy «{name}» wurde angelegt. Sein Tunnel wird noch eingerichtet.',
    en: 'The proxy “{name}” was created. Its tunnel is still being set up.',
  },
} as const satisfies Record<string, Text>;

/** A message of an answer in the caller's language. */
export function messageText(key: keyof typeof messages, language: Language, params?: TextParams): string {
  return fill(messages[key][language], params);
}
