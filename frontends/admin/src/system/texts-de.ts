import type { Certificate, DoctorState, SetUpStepName, SystemCheck, TunnelProvider } from '@talpa/contracts';

/** A state without a name fails the type check. */
const states = {
  'state.valid': 'Gültig',
  'state.pending': 'Wird bestellt',
  'state.failing': 'Fehlgeschlagen',
  'state.expired': 'Abgelaufen',
} as const satisfies Readonly<Record<`state.${Certificate['state']}`, string>>;

/** So does a check, or what to do about it. */
const checks = {
  'check.domain': 'Domain für die Subdomains',
  'check.domain.missing':
    'Die Adressen der Proxys führen bisher nur auf den eigenen Rechner des Besuchers. Nehmen Sie eine Domain, die nicht die des Panels ist.',
  'check.https': 'HTTPS',
  'check.https.missing':
    'Passwörter gehen unverschlüsselt durchs Netz. Talpa kann die Zertifikate selbst bestellen, oder Ihr eigener Proxy übernimmt das.',
  'check.mail': 'E-Mail-Versand',
  'check.mail.missing': 'Ohne Mailserver geben Sie Links für Ihre Benutzer selbst weiter.',
  'check.publicUrl': 'Öffentliche Adresse des Panels',
  'check.publicUrl.missing':
    'Ohne sie fehlen Links in E-Mails und Passkeys, und Besucher geschützter Proxys können sich nicht mit ihrem Konto anmelden.',
  'check.backup': 'Erstes Backup',
  'check.backup.missing': 'Mit dem Befehl von Talpa wurde hier noch kein Backup erstellt.',
  'check.customer': 'Erster Kunde',
  'check.customer.missing':
    'Bisher haben nur Administratoren ein Konto. Wer sich registrieren darf, legen Sie fest.',
} as const satisfies Readonly<Record<`check.${SetUpStepName}${'' | '.missing'}`, string>>;

const checkStates = {
  'check.state.ok': 'erledigt',
  'check.state.missing': 'offen',
  'check.state.unknown': 'derzeit nicht bekannt',
} as const satisfies Readonly<Record<`check.state.${SystemCheck['state']}`, string>>;

const doctorStates = {
  'doctor.state.failed': 'Fehler',
  'doctor.state.warning': 'Warnung',
  'doctor.state.unknown': 'unklar',
  'doctor.state.ok': 'in Ordnung',
} as const satisfies Readonly<Record<`doctor.state.${DoctorState}`, string>>;

const providers = {
  'provider.embedded': 'Eingebaut: Die Tunnel enden auf diesem Server.',
  'provider.cloudflare': 'Cloudflare',
} as const satisfies Readonly<Record<`provider.${TunnelProvider}`, string>>;

export const de = {
  ...providers,
  ...states,
  ...checks,
  ...checkStates,
  ...doctorStates,
  'check.customer.invite': 'Einladung erstellen',
  'check.document': 'Anleitung: {document}',
  doctor: 'Prüfung',
  'doctor.well_one': '{count} Prüfung in Ordnung',
  'doctor.well_other': '{count} Prüfungen in Ordnung',
  'doctor.again': 'Erneut prüfen',
  'doctor.failed': 'Die Prüfung ist fehlgeschlagen',
  'doctor.checkedAt': 'Geprüft am {time}.',
  'doctor.notChecked': 'Von hier aus nicht geprüft: {checks}.',
  'doctor.more': 'Mehr sagt auf dem Server:',
  installation: 'Diese Installation',
  version: 'Version',
  'version.newer': 'Nach neueren sucht Talpa nicht: Es ruft dafür nichts aus dem Internet ab.',
  domain: 'Domain der Subdomains',
  connectors: 'Adresse für Connectoren',
  'connectors.elsewhere': 'beim Tunnel-Anbieter',
  mail: 'Absender von E-Mails',
  'mail.none': 'E-Mail ist nicht eingerichtet',
  storage: 'Speicherplatz',
  'storage.free': '{free} frei',
  'storage.short': 'Nur noch {free} frei, weniger als {reserve} (DISK_RESERVE)',
  'storage.unwatched': 'wird nicht überwacht',
  backup: 'Letztes Backup',
  'backup.never': 'noch keines mit dem Befehl von Talpa',
  provider: 'Tunnel-Anbieter',
  'provider.well': 'Derzeit ist keine Störung bekannt.',
  'provider.loadFailed': 'Die Störungen konnten nicht geladen werden',
  'provider.since': 'Seit dem {since}.',
  setUp: 'Talpa einrichten',
  'setUp.done': '{done} von {of} erledigt',
  jobs: 'Fehlgeschlagene Aufträge',
  'jobs.none': 'Kein Auftrag ist fehlgeschlagen.',
  'jobs.loadFailed': 'Die Aufträge konnten nicht geladen werden',
  'jobs.unknown': 'Unbekannter Proxy',
  'jobs.since_one': 'Ein Versuch, aufgegeben am {time}',
  'jobs.since_other': '{count} Versuche, aufgegeben am {time}',
  'jobs.retry': 'Nach der Behebung erneut versuchen:',
  certificates: 'Zertifikate',
  'column.name': 'Name',
  'column.state': 'Status',
  'column.notAfter': 'Läuft ab',
  'column.problem': 'Letzter Fehler',
  none: '–',
  order: 'Jetzt erneut versuchen',
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
