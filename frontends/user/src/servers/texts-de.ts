/** German texts of servers. */
export const de = {
  keys: 'Installationsbefehle',
  'keys.text':
    'Mit so einem Befehl verbindet sich ein Server, ohne Ihr Passwort zu kennen. Das Panel erstellt ihn, wenn es ihn anzeigt.',
  'keys.empty': 'Zurzeit gilt kein Befehl.',
  'keys.failed': 'Ihre Installationsbefehle konnten nicht geladen werden',
  'keys.for': 'Für',
  'keys.forProxy': 'den Proxy „{name}“',
  'keys.forGone': 'den Proxy Nr. {id}',
  'keys.forNew': 'einen neuen Proxy',
  'keys.expires': 'Gültig bis',
  'keys.used': 'Verwendet',
  'keys.usedOf': '{used} von {uses}',
  'keys.usedUp': 'Verbraucht',
  'keys.revoke': 'Widerrufen …',
  'keys.revoke.of': 'Installationsbefehl widerrufen: {name}',
  'keys.revoke.title': 'Installationsbefehl widerrufen?',
  'keys.revoke.text':
    'Mit „{name}“ kann sich dann kein Server mehr verbinden. Bereits verbundene Server bleiben verbunden.',
  'keys.revoke.submit': 'Befehl widerrufen',
  'keys.revoke.done': 'Installationsbefehl widerrufen',
  'keys.revoke.failed': 'Der Befehl wurde nicht widerrufen',
} as const;
