import { generalErrors } from '@talpa/contracts/errors/general';
import { fill, type Language, type Text } from '@talpa/contracts/language';

export const statusTexts = {
  badRequest: { de: 'Ungültige Anfrage: {detail}', en: 'Bad request: {detail}' },
  noConnection: {
    de: 'Verbindungsfehler: Das Panel ist nicht erreichbar. Bitte überprüfen Sie Ihre Internetverbindung.',
    en: 'Connection error: The panel can’t be reached. Please check your internet connection.',
  },
  unknown: { de: 'Unbekannter Fehler', en: 'Unknown error' },
} as const satisfies Readonly<Record<string, Text>>;

/** What people read for a response's status; `detail` is what the server said. */
export function statusText(status: number, detail: string, language: Language): string {
  const { badRequest, noConnection, unknown } = statusTexts;
  if (status === 0) return noConnection[language];
  if (status === 400) return fill(badRequest[language], { detail: detail || unknown[language] });
  if (status === 401) return detail || generalErrors.not_signed_in[language];
  if (status === 404) return generalErrors.not_found[language];
  if (status === 500) return generalErrors.internal[language];
  return detail || unknown[language];
}

/** The detail in a response: a JSON text, its message or error field, else the raw text, else the status. */
export function detailOf(body: unknown, raw: string, statusLine: string): string {
  if (typeof body === 'string') return body;
  if (typeof body === 'object' && body !== null) {
    const { message, error } = body as { message?: unknown; error?: unknown };
    if (typeof message === 'string') return message;
    if (typeof error === 'string') return error;
  }
  return raw || statusLine;
}
