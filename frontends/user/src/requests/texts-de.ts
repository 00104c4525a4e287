import type { AgentFamily, RequestLogMode, RequestReason } from '@talpa/contracts';

/** Why a request was refused, in two words and in a sentence that says what to do. */
const reasons = {
  'reason.suspended': 'Gesperrt',
  'why.suspended':
    'Der Proxy oder Ihr Konto war gesperrt. Warum, steht oben auf dieser Seite; wenden Sie sich an den Betreiber.',
  'reason.paused': 'Pausiert',
  'why.paused': 'Der Proxy war pausiert: Der Besucher hat statt des Admin-Panels die Hinweisseite gesehen.',
  'reason.sign_in_required': 'Anmeldung nötig',
  'why.sign_in_required':
    'Der Besucher war vor dem Admin-Panel nicht angemeldet. Das sind auch Besucher, die gerade die Anmeldeseite sehen.',
  'reason.access_denied': 'Kein Zugriff',
  'why.access_denied':
    'Die Zugriffsregeln des Proxys erlauben diesen Besucher nicht. Wenn er hineindarf, ändern Sie die Regeln unter „Zugriff“.',
  'reason.ambiguous_path': 'Pfad nicht eindeutig',
  'why.ambiguous_path':
    'Den Pfad könnten Server verschieden lesen, und eine Zugriffsregel des Proxys meint nur eine dieser Lesarten. Wenn solche Anfragen nötig sind, regeln Sie den Zugriff ohne Pfade.',
  'reason.no_connector': 'Kein Connector',
  'why.no_connector':
    'Der Server war nicht mit dem Tunnel verbunden. Prüfen Sie, ob dort der Connector (cloudflared) läuft.',
  'reason.origin_unreachable': 'Nicht erreichbar',
  'why.origin_unreachable':
    'Der Tunnel stand, aber das Admin-Panel war nicht erreichbar. Prüfen Sie, ob es läuft und ob IP-Adresse und Port des Proxys stimmen.',
  'reason.connection_lost': 'Verbindung abgebrochen',
  'why.connection_lost':
    'Die Verbindung zum Server ist abgebrochen, bevor er geantwortet hat. Wenn das öfter vorkommt, prüfen Sie dessen Netzwerk.',
  'reason.timeout': 'Zu langsam',
  'why.timeout':
    'Das Admin-Panel hat nicht rechtzeitig geantwortet. Prüfen Sie, ob der Server überlastet ist.',
  'reason.bad_request': 'Ungültig',
  'why.bad_request':
    'Die Anfrage war fehlerhaft. Das liegt am Programm des Besuchers; Sie müssen nichts tun.',
  'reason.body_too_large': 'Zu groß',
  'why.body_too_large':
    'Der Besucher wollte mehr hochladen, als der Betreiber in einer Anfrage erlaubt. Teilen Sie die Datei auf oder fragen Sie den Betreiber.',
  'reason.response_head_too_large': 'Kopfzeilen zu groß',
  'why.response_head_too_large':
    'Das Admin-Panel hat mit Kopfzeilen geantwortet, die zu groß für den Tunnel sind. Prüfen Sie, wie viele Cookies es setzt.',
  'reason.limit_visitor': 'Zu viele Anfragen',
  'why.limit_visitor':
    'Dieser Besucher hat in einer Minute zu viele Anfragen gesendet. Nach kurzer Zeit wird er wieder durchgelassen.',
  'reason.limit_requests': 'Zu viele Anfragen',
  'why.limit_requests':
    'Alle Besucher zusammen haben in einer Minute zu viele Anfragen gesendet. Wenn das kein Angriff ist, fragen Sie den Betreiber nach einer höheren Grenze.',
  'reason.limit_mutations': 'Zu viele Änderungen',
  'why.limit_mutations':
    'Dieser Besucher hat in einer Minute zu viele Formulare oder Befehle gesendet. Nach kurzer Zeit wird er wieder durchgelassen.',
  'reason.limit_sign_in': 'Zu viele Anmeldungen',
  'why.limit_sign_in':
    'Dieser Besucher hat zu oft versucht, sich anzumelden. Nach einigen Minuten wird er wieder durchgelassen. Wenn Sie ihn nicht kennen, lehnen Sie ihn unter „Zugriff“ ab.',
  'reason.limit_concurrent': 'Zu viele gleichzeitig',
  'why.limit_concurrent':
    'Es liefen zu viele Anfragen gleichzeitig. Prüfen Sie, ob das Admin-Panel langsam antwortet.',
  'reason.limit_long_lived': 'Zu viele offen',
  'why.limit_long_lived':
    'Es waren zu viele lange Verbindungen offen, etwa Konsolen. Schließen Sie nicht benötigte Fenster des Admin-Panels.',
  'reason.limit_share': 'Zu viele von einer Adresse',
  'why.limit_share':
    'Dieser Besucher hielt so viele Verbindungen offen, dass für andere keine frei geblieben wären. Schließen Sie nicht benötigte Fenster des Admin-Panels.',
} as const satisfies Readonly<Record<`${'reason' | 'why'}.${RequestReason}`, string>>;

const modes = {
  'mode.metadata': 'Speichern',
  'mode.metadata.hint': 'Jede Anfrage wird {days} Tage gespeichert, höchstens die neuesten 10.000.',
  'mode.live': 'Nur live',
  'mode.live.hint': 'Sie sehen die Anfragen der letzten 15 Minuten. Gespeichert wird nichts.',
  'mode.off': 'Aus',
  'mode.off.hint': 'Es wird nichts aufgezeichnet.',
} as const satisfies Readonly<Record<`mode.${RequestLogMode}`, string>> & Readonly<Record<string, string>>;

const agents = {
  'agent.chrome': 'Chrome',
  'agent.edge': 'Edge',
  'agent.firefox': 'Firefox',
  'agent.safari': 'Safari',
  'agent.bot': 'Bot',
  'agent.script': 'Skript',
  'agent.other': 'Sonstiges',
} as const satisfies Readonly<Record<`agent.${AgentFamily}`, string>>;

/** German texts of a proxy's request log. */
export const de = {
  ...reasons,
  ...modes,
  ...agents,
  title: 'Anfragen',
  'text.metadata': 'Was Besucher aufgerufen haben, {days} Tage lang. Neue Anfragen erscheinen sofort.',
  'text.live': 'Was Besucher in den letzten 15 Minuten aufgerufen haben. Gespeichert wird nichts.',
  'text.off': 'Das Anfrage-Protokoll ist ausgeschaltet. Es wird nichts aufgezeichnet.',
  'text.privacy': 'Ohne Cookies, ohne alles nach dem „?“ einer Adresse, und von der IP-Adresse nur das Netz.',
  'unavailable.provider': 'Mit Cloudflare nicht verfügbar. Anfragen zeigt Talpas eigener Edge.',
  'unavailable.operator': 'Der Betreiber hat das Anfrage-Protokoll ausgeschaltet.',
  missed: 'Nicht aufgezeichnet: {count}. Es kamen zu viele Anfragen auf einmal.',
  failed: 'Das Anfrage-Protokoll konnte nicht geladen werden',
  loadFailed: 'Die Anfragen konnten nicht geladen werden',
  empty: 'Noch keine Anfragen',
  'empty.text': 'Sobald jemand die Adresse des Proxys öffnet, erscheint es hier.',
  search: 'Pfad beginnt mit',
  csv: 'Als CSV herunterladen',
  'csv.failed': 'Die CSV-Datei konnte nicht erstellt werden',
  change: 'Protokoll umstellen',
  'change.title': 'Anfrage-Protokoll umstellen',
  'change.submit': 'Umstellen',
  'change.failed': 'Das Anfrage-Protokoll konnte nicht umgestellt werden',
  'change.done': 'Das Anfrage-Protokoll wurde umgestellt',
  'change.mode': 'Was aufgezeichnet wird',
  'change.loss': 'Alle gespeicherten Einträge ({count}) werden dabei endgültig gelöscht.',
  'column.at': 'Zeitpunkt',
  'column.request': 'Anfrage',
  'column.status': 'Status',
  'column.duration': 'Dauer',
  'column.visitor': 'Besucher',
  'filter.since': 'Zeitraum',
  'filter.since.all': 'Alle Zeiten',
  'filter.since.hour': 'Letzte Stunde',
  'filter.since.day': 'Letzte 24 Stunden',
  'filter.since.week': 'Letzte 7 Tage',
  'filter.method': 'Methode',
  'filter.method.all': 'Alle Methoden',
  'filter.method.OTHER': 'Andere',
  'filter.status': 'Status',
  'filter.status.all': 'Alle Status',
  'filter.reason': 'Grund',
  'filter.reason.all': 'Abgelehnt oder nicht',
  'filter.reason.any': 'Alle abgelehnten',
  noStatus: 'Abgebrochen',
  ms: '{ms} ms',
  seconds: '{s} s',
  minutes: '{m} Min.',
  hours: '{h} Std. {m} Min.',
  details: 'Details',
  'details.of': 'Details zu {request}',
  'details.path': 'Pfad',
  'details.method': 'Methode',
  'details.noStatus': 'keiner: Der Besucher ist gegangen, bevor es eine Antwort gab',
  'details.size': 'Empfangen und gesendet',
  'details.sizes': '{in} und {out}',
  'details.network': 'Netz des Besuchers',
  'details.agent': 'Programm',
  'details.requestId': 'Anfrage-ID',
  'details.rule':
    'Regel Nr. {rule} hat das entschieden. Sind die Regeln seitdem geändert worden, ist es jetzt vielleicht eine andere.',
  'details.toRule': 'Zur Regel',
  'details.why': 'Warum die Anfrage abgelehnt wurde',
  close: 'Schließen',
} as const;
