/** German texts of a server’s page. */
export const de = {
  loadFailed: 'Der Server konnte nicht geladen werden',
  notFound: 'Server nicht gefunden',
  'notFound.text': 'Der Server wurde gelöscht, oder der Link ist falsch.',
  'gone.text': 'Der Server „{name}“ existiert nicht mehr.',
  kind_one: 'Server mit {count} Proxy',
  kind_other: 'Server mit {count} Proxys',
  owner: 'Besitzer: Benutzer Nr. {id}',
  'shared.part': 'Sie sehen die Proxys dieses Servers, bei denen Sie Mitglied sind.',
  'absence.lost': 'Der Connector dieses Servers ist nicht verbunden',
  'absence.lost.text':
    'Besucher erreichen die Admin-Panels nicht. Prüfen Sie, ob der Server läuft und der Connector als Dienst gestartet ist.',
  'absence.lost.empty': 'Prüfen Sie, ob der Server läuft und der Connector als Dienst gestartet ist.',
  'absence.never': 'Auf diesem Server ist noch kein Connector installiert',
  'absence.never.text':
    'Die Admin-Panels sind erreichbar, sobald der Connector mit dem Token dieses Servers läuft.',
  'absence.never.empty':
    'Ein Befehl installiert den Connector und findet Ihre Admin-Panels. Einen Proxy können Sie auch selbst anlegen.',
  connect: 'Verbinden',
  'events.none':
    'Hier sehen Sie, wer diesen Server geändert hat und wann sich der Connector verbunden oder getrennt hat.',
  proxies: 'Proxys auf diesem Server',
  'proxies.none': 'Noch keine Proxys auf diesem Server',
  'proxies.none.text':
    'Ein neuer Proxy ist sofort erreichbar, wenn der Connector verbunden ist. Sie müssen nichts mehr installieren.',
  rename: 'Umbenennen',
  'rename.title': 'Server umbenennen',
  'rename.name': 'Name',
  'rename.submit': 'Speichern',
  'rename.done': 'Server umbenannt',
  'rename.failed': 'Der Server konnte nicht umbenannt werden',
  token: 'Token des Servers',
  'token.show': 'Token anzeigen',
  'token.text':
    'Damit meldet sich der Connector an. Wer es kennt, kann alle Admin-Panels dieses Servers übernehmen.',
  'token.failed': 'Das Token konnte nicht abgerufen werden',
  'token.new.why':
    'Der Tunnel wird durch einen neuen ersetzt. Alle Admin-Panels dieses Servers sind erst wieder erreichbar, wenn der Connector das neue Token hat.',
  'token.new.why.shared':
    'Jemand außer Ihnen kennt das Token. Mit einem neuen sind alle Admin-Panels dieses Servers erst wieder erreichbar, wenn der Connector es hat.',
  delete: 'Server löschen',
  'delete.why': 'Der Server und sein Tunnel werden gelöscht. Das lässt sich nicht rückgängig machen.',
  'delete.notEmpty': 'Löschen oder verschieben Sie zuerst seine Proxys.',
  'delete.title': 'Server löschen?',
  'delete.text':
    '„{name}“ wird mit seinem Tunnel gelöscht, und der Connector darauf verbindet sich nicht mehr. Das lässt sich nicht rückgängig machen.',
  'delete.submit': 'Endgültig löschen',
  'delete.done': 'Server gelöscht',
  'delete.failed': 'Der Server wurde nicht gelöscht',
} as const;
