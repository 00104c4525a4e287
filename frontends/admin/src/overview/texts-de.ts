export const de = {
  totals: 'Gesamtzahlen',
  'totals.users': 'Registrierte Benutzer',
  'totals.proxies': 'Proxys',
  'totals.active': 'Davon verbunden',
  disconnected: 'Nicht verbundene Proxys',
  'disconnected.none': 'Alle Proxys sind verbunden.',
  'disconnected.all': 'Alle anzeigen',
  'disconnected.failed': 'Die Proxys konnten nicht geladen werden',
  events: 'Letzte Ereignisse',
  'events.all': 'Zum Protokoll',
  'events.failed': 'Das Protokoll konnte nicht geladen werden',
} as const;
