import { expect, it } from 'vitest';
import { detailOf, statusText } from './status-text.ts';

it('says what the specification says for each status', () => {
  expect(statusText(400, 'Der Name fehlt', 'de')).toBe('Ungültige Anfrage: Der Name fehlt');
  expect(statusText(401, 'Benutzername oder Passwort ist falsch.', 'de')).toBe(
    'Benutzername oder Passwort ist falsch.',
  );
  expect(statusText(401, '', 'de')).toBe('Nicht autorisiert: Bitte melden Sie sich an');
  expect(statusText(404, 'gone', 'de')).toBe('Ressource nicht gefunden');
  expect(statusText(500, 'a stack', 'de')).toBe('Serverfehler: Bitte versuchen Sie es später erneut');
  expect(statusText(409, 'Schon vergeben', 'de')).toBe('Schon vergeben');
  expect(statusText(0, '', 'de')).toContain('Verbindungsfehler');
});

it('a response without a word is an unknown error, in the reader’s language', () => {
  expect(statusText(502, detailOf(undefined, '', ''), 'de')).toBe('Unbekannter Fehler');
  expect(statusText(502, '', 'en')).toBe('Unknown error');
  expect(statusText(400, '', 'de')).toBe('Ungültige Anfrage: Unbekannter Fehler');
});

it('finds the detail in a text, a message, an error, the raw body or the status line, in this order', () => {
  expect(detailOf('a text', '"a text"', 'Conflict')).toBe('a text');
  expect(detailOf({ message: 'a message', error: 'an error' }, '{}', 'Conflict')).toBe('a message');
  expect(detailOf({ error: 'an error' }, '{}', 'Conflict')).toBe('an error');
  expect(detailOf(undefined, '<h1>Bad Gateway</h1>', 'Bad Gateway')).toBe('<h1>Bad Gateway</h1>');
  expect(detailOf(undefined, '', 'Bad Gateway')).toBe('Bad Gateway');
});
