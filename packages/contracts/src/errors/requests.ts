import type { ErrorTexts } from './error-texts.ts';

/** Errors of any request, whatever it is about. */
export const requestsErrors = {
  invalid_input: { status: 400, de: 'Überprüfen Sie Ihre Eingaben.', en: 'Please check your input.' },
  invalid_json: {
    status: 400,
    de: 'Der Inhalt der Anfrage ist kein gültiges JSON.',
    en: 'The request body is not valid JSON.',
  },
  unsupported_media_type: {
    status: 415,
    de: 'Der Inhalt der Anfrage muss JSON sein.',
    en: 'The request body must be JSON.',
  },
  payload_too_large: {
    status: 413,
    de: 'Der Inhalt der Anfrage ist zu groß.',
    en: 'The request body is too large.',
  },
  method_not_allowed: {
    status: 405,
    de: 'Diese HTTP-Methode wird hier nicht unterstützt.',
    en: 'This HTTP method is not supported here.',
  },
  cross_origin: {
    status: 403,
    de: 'Anfragen von anderen Websites sind nicht erlaubt.',
    en: 'Requests from other websites are not allowed.',
  },
  too_many_requests: {
    status: 429,
    de: 'Zu viele Anfragen. Bitte versuchen Sie es in {seconds}\u00a0s erneut.',
    en: 'Too many requests. Please try again in {seconds}\u00a0s.',
  },
  idempotency_key_reused: {
    status: 409,
    de: 'Dieser Idempotency-Key wurde bereits für eine andere Anfrage verwendet.',
    en: 'This Idempotency-Key has already been used for a different request.',
  },
  edit_conflict: {
    status: 409,
    de: 'Der Eintrag wurde inzwischen geändert. Prüfen Sie die neuen Werte und speichern Sie erneut.',
    en: 'This entry has changed in the meantime. Check the new values and save again.',
  },
  forbidden: {
    status: 403,
    de: 'Dazu fehlt Ihnen die Berechtigung.',
    en: 'You don’t have permission to do this.',
  },
  storage_full: {
    status: 507,
    de: 'Der Speicherplatz des Servers ist knapp. Zurzeit kann nichts Neues angelegt werden; alles Bestehende läuft weiter. Bitte versuchen Sie es später noch einmal.',
    en: 'The server is low on disk space. Nothing new can be created right now; everything that exists keeps working. Please try again later.',
  },
  service_unavailable: {
    status: 503,
    de: 'Dieser Teil des Panels ist gerade nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
    en: 'This part of the panel is unavailable right now. Please try again shortly.',
  },
  deadline_exceeded: {
    status: 504,
    de: 'Die Antwort hat zu lange gedauert. Bitte laden Sie die Seite neu, bevor Sie es noch einmal versuchen.',
    en: 'The response took too long. Please reload the page before you try again.',
  },
} as const satisfies ErrorTexts;
