import type { MailKind, MailState } from '@talpa/contracts';

/** A kind without a name fails the type check. */
const kinds = {
  'kind.test': 'Test-E-Mail',
  'kind.verify_email': 'Adresse bestätigen',
  'kind.reset_password': 'Passwort vergessen',
  'kind.password_changed': 'Passwort geändert',
  'kind.email_changed': 'Adresse geändert',
  'kind.new_device': 'Neue Anmeldung',
  'kind.notifications': 'Mitteilungen',
} as const satisfies Readonly<Record<`kind.${MailKind}`, string>>;

const states = {
  'state.queued': 'Wartet',
  'state.sending': 'Wird gesendet',
  'state.sent': 'Gesendet',
  'state.refused': 'Abgelehnt',
  'state.dead_letter': 'Aufgegeben',
  'state.kept': 'Aufbewahrt',
  'state.no_address': 'Keine Adresse',
  'state.outdated': 'Überholt',
  'state.held': 'Zurückgehalten',
} as const satisfies Readonly<Record<`state.${MailState}`, string>>;

const meanings = {
  'meaning.queued': 'Die E-Mail wird beim nächsten Versuch gesendet.',
  'meaning.sending': 'Die E-Mail wird gerade gesendet.',
  'meaning.sent': 'Der E-Mail-Server hat die E-Mail angenommen.',
  'meaning.refused': 'Der E-Mail-Server hat die E-Mail endgültig abgelehnt.',
  'meaning.dead_letter': 'Alle Versuche sind fehlgeschlagen.',
  'meaning.kept': 'Die E-Mail wurde nicht gesendet, weil kein E-Mail-Server eingerichtet ist.',
  'meaning.no_address': 'Der Benutzer hat keine bestätigte E-Mail-Adresse.',
  'meaning.outdated':
    'Als die E-Mail gesendet werden sollte, war ihr Link nicht mehr gültig, oder der Benutzer wollte keine Mitteilungen per E-Mail mehr.',
  'meaning.held':
    'Die Datenbank wurde wiederhergestellt. Die E-Mail wurde vielleicht schon gesendet und wartet auf Ihre Entscheidung.',
} as const satisfies Readonly<Record<`meaning.${MailState}`, string>>;

export const de = {
  ...kinds,
  ...states,
  ...meanings,
  subtitle: 'Wem das Panel wann geschrieben hat. Einträge werden 90 Tage gespeichert.',
  list: 'E-Mails',
  search: 'Benutzername suchen',
  loadFailed: 'Die E-Mails konnten nicht geladen werden',
  empty: 'Noch keine E-Mails',
  'empty.text': 'Sobald das Panel jemandem schreibt, erscheint es hier.',
  'setup.missing': 'E-Mail ist nicht eingerichtet',
  'setup.missing.text':
    'Das Panel sendet keine E-Mails. Es bewahrt sie 30 Tage auf, und Sie können sie hier lesen. Zum Einrichten braucht der Betreiber die Einstellungen „SMTP_URL“ und „MAIL_FROM“.',
  test: 'Test-E-Mail senden',
  'test.done': 'Test-E-Mail in Auftrag gegeben',
  'test.doneText': 'In der Liste sehen Sie, was daraus wird.',
  'test.failed': 'Die Test-E-Mail konnte nicht gesendet werden',
  'column.user': 'Empfänger',
  'column.kind': 'Art',
  'column.at': 'Erstellt',
  'column.state': 'Status',
  'column.answer': 'Letzte Antwort',
  noAnswer: 'Keine',
  everyKind: 'Alle Arten',
  everyState: 'Alle Status',
  unknownUser: 'Benutzer Nr. {id}',
  name: '{kind} an {user}',
  action: '{action}: {name}',
  show: 'Anzeigen',
  again: 'Erneut senden',
  'again.done': 'E-Mail wird erneut gesendet',
  'again.failed': 'Die E-Mail konnte nicht erneut gesendet werden',
  'details.title': 'E-Mail Nr. {id}',
  'details.stateAt': 'Status seit',
  'details.attempts': 'Bisherige Versuche',
  'details.next': 'Nächster Versuch',
  'details.uncertain': 'Davon ohne Antwort',
  'details.uncertain.text': 'Jeder davon kann die E-Mail zugestellt haben.',
  'details.subject': 'Betreff',
  'details.hidden': 'Der Inhalt gesendeter E-Mails wird nicht aufbewahrt.',
  'details.loadFailed': 'Die E-Mail konnte nicht geladen werden',
  'details.html': 'Ansicht',
  'details.text': 'Nur Text',
  'details.frame': 'Ansicht der E-Mail „{subject}“',
  close: 'Schließen',
} as const;
