/** German texts of servers. */
export const de = {
  'token.new': 'Neues Token',
  'token.new.title': 'Neues Token erstellen?',
  'token.new.text':
    'Der Connector von „{name}“ wird sofort getrennt, und das bisherige Token gilt nicht mehr. Installieren Sie den Connector danach mit dem neuen Token.',
  'token.new.away': 'Bis dahin nicht erreichbar: {names}.',
  'token.new.submit': 'Neues Token erstellen',
  'token.new.done': 'Neues Token erstellt',
  'token.new.doneText': 'Installieren Sie den Connector jetzt damit.',
  'token.new.failed': 'Das Token wurde nicht erneuert',
  field: 'Server',
  'field.new': 'Neuer Server',
  'field.hint':
    'Auf einem verbundenen Server ist der Proxy sofort erreichbar, ohne eine weitere Installation.',
  shared: 'Jemand anderes kennt das Token dieses Servers',
  'shared.text':
    'Damit käme die Person auch an diesen Proxy. Geben Sie „{name}“ deshalb zuerst ein neues Token.',
  move: 'Verschieben',
  'move.title': '„{name}“ verschieben',
  'move.hint':
    'Die Adresse bleibt. Der Connector dieses Servers muss das Admin-Panel unter der Server-IP und dem Port des Proxys erreichen.',
  'move.newHint':
    'Die Adresse bleibt. Der Proxy ist erst wieder erreichbar, wenn auf dem neuen Server der Connector läuft. Die Anleitung dafür folgt.',
  'move.name': 'Name des neuen Servers',
  'move.submit': 'Verschieben',
  'move.done': 'Proxy verschoben',
  'move.doneText': 'Er läuft jetzt über „{name}“.',
  'move.failed': 'Der Proxy wurde nicht verschoben',
  empty: 'Server ohne Proxys',
  'empty.text': 'Legen Sie dort einen Proxy an, oder löschen Sie den Server.',
  'empty.failed': 'Ihre Server konnten nicht geladen werden',
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
