import type { Certificate } from '@talpa/contracts';

/** A state without a name fails the type check. */
const states = {
  'state.valid': 'Gültig',
  'state.pending': 'Wird bestellt',
  'state.failing': 'Fehlgeschlagen',
  'state.expired': 'Abgelaufen',
} as const satisfies Readonly<Record<`state.${Certificate['state']}`, string>>;

export const de = {
  ...states,
  certificates: 'Zertifikate',
  'column.name': 'Name',
  'column.state': 'Status',
  'column.notAfter': 'Läuft ab',
  'column.problem': 'Letzter Fehler',
  none: '–',
  order: 'Jetzt versuchen',
  'order.short': 'Versuchen',
  action: '{action}: {name}',
  'order.done': 'Der Versuch wurde gestartet',
  'order.doneText': 'Das Ergebnis erscheint hier nach einigen Sekunden.',
  'order.failed': 'Der Versuch konnte nicht gestartet werden',
  nextAttempt: 'Nächster Versuch: {time}',
  answer: 'Antwort: {detail}',
  loadFailed: 'Zertifikate konnten nicht geladen werden',
  off: 'Talpa bestellt hier keine Zertifikate',
  'off.text': 'Das übernimmt Ihr Proxy oder Cloudflare. Mit ACME_EMAIL bestellt Talpa sie selbst.',
} as const;
