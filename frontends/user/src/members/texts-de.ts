/** German texts of members and invitations. */
export const de = {
  title: 'Mitglieder',
  text: 'Wer Mitglied ist, hilft bei diesem Proxy mit dem eigenen Konto. Der Proxy zählt weiter zu Ihrem Plan.',
  'text.member': 'Wer bei diesem Proxy mithilft.',
  'text.noToken':
    'Den Connector installieren oder den Tunnel neu erstellen können Sie nicht: Auf demselben Server laufen Proxys, bei denen Sie nicht mindestens die Rolle „{role}“ haben.',
  'text.used': 'Vergeben: {used} von {limit}.',
  'limit.none': 'Mit dem jetzigen Plan sind keine Mitglieder möglich.',
  'limit.full': 'Mehr Mitglieder erlaubt der Plan nicht ({limit} pro Proxy, offene Einladungen mitgezählt).',
  failed: 'Mitglieder konnten nicht geladen werden',
  empty: 'Noch niemand. Laden Sie jemanden ein, zum Beispiel einen zweiten Administrator Ihres Servers.',
  'empty.member': 'Außer dem Besitzer noch niemand.',

  known: 'Das Token ist noch bekannt',
  'known.text':
    'Jemand, der es gelesen hat, ist vielleicht kein Mitglied mehr. Mit einem neuen Token ist das bisherige wertlos.',
  'known.renew': 'Neues Token',

  'name.link': 'Einladung über einen Link',
  'name.unknown': 'Benutzer Nr. {id}',
  you: 'Sie',
  invited: 'Eingeladen',
  until: 'Mitglied bis',
  'until.never': 'auf Weiteres',
  invitedUntil: 'Einladung gilt bis',
  joined: 'Mitglied seit',

  role: 'Rolle',
  'role.view.text': 'Sieht Status, Verlauf, Adressen, Zugriffsregeln und Mitglieder.',
  'role.operate.text':
    'Kann außerdem den Proxy pausieren, Domains prüfen, den Connector installieren und den Tunnel neu erstellen.',
  'role.operate.shared':
    'Kann außerdem den Proxy pausieren und Domains prüfen. Nur wer diese Rolle bei allen Proxys des Servers hat, kann auch den Connector installieren und den Tunnel neu erstellen.',
  'role.manage.text':
    'Kann außerdem den Proxy bearbeiten, Zugriff, Domains, Game-Ports und Mitglieder verwalten und sehen, was Besucher anfragen. Löschen kann nur der Besitzer.',

  invite: 'Einladen',
  'invite.title': 'Zum Proxy einladen',
  'invite.way': 'Einladen',
  'invite.way.username': 'einen Benutzer',
  'invite.way.email': 'per E-Mail',
  'invite.way.link': 'über einen Link',
  'invite.username': 'Benutzername',
  'invite.username.hint':
    'Wenn es diesen Benutzer gibt, erscheint die Einladung in dessen Panel. Mitglied ist die Person, sobald sie annimmt.',
  'invite.email': 'E-Mail-Adresse',
  'invite.email.hint':
    'Die Person erhält einen Link, mit dem sie annehmen kann, auch nach dem Registrieren. Er gilt 7 Tage.',
  'invite.link.hint':
    'Den Link kann genau eine Person verwenden, auch nach dem Registrieren. Er gilt 7 Tage.',
  'invite.lasts': 'Mitgliedschaft endet',
  'invite.lasts.never': 'nie',
  'invite.lasts.days_one': 'nach {count} Tag',
  'invite.lasts.days_other': 'nach {count} Tagen',
  'invite.lasts.at': 'am {time}',
  'invite.failed': 'Einladen nicht möglich',
  'invite.done': 'Eingeladen',

  'link.title': 'Einladungslink',
  'link.text': 'Geben Sie diesen Link der Person, die Mitglied werden soll. Er wird nur jetzt angezeigt.',
  'link.label': 'Einladungslink kopieren',
  'link.saved': 'Link gespeichert',

  edit: 'Ändern',
  'edit.of': '{name} ändern',
  'edit.title': 'Mitglied ändern',
  'edit.submit': 'Speichern',
  'edit.failed': 'Ändern nicht möglich',
  'edit.done': 'Gespeichert',

  'removal.remove': 'Entfernen',
  'removal.remove.of': '{name} entfernen',
  'removal.remove.title': 'Mitglied entfernen',
  'removal.remove.text': '{name} hat danach sofort keinen Zugriff mehr auf diesen Proxy.',
  'removal.remove.done': 'Mitglied entfernt',
  'removal.failed': 'Entfernen nicht möglich',
  'removal.withdraw': 'Zurückziehen',
  'removal.withdraw.of': '{name} zurückziehen',
  'removal.withdraw.title': 'Einladung zurückziehen',
  'removal.withdraw.text': 'Danach kann niemand mehr die Einladung annehmen ({name}).',
  'removal.withdraw.done': 'Einladung zurückgezogen',

  leave: 'Proxy verlassen',
  'leave.text':
    'Sie haben danach keinen Zugriff mehr auf „{proxy}“. Zurück kommen Sie nur mit einer neuen Einladung.',
  'leave.admin':
    'Sie sind danach kein Mitglied von „{proxy}“ mehr. Mit Administratorrechten erreichen Sie den Proxy weiterhin.',
  'leave.done': 'Mitgliedschaft beendet',
  'leave.failed': 'Verlassen nicht möglich',

  'shared.title': 'Mit mir geteilte Proxys',
  'shared.text': 'Proxys anderer Benutzer, bei denen Sie Mitglied sind. Sie zählen nicht zu Ihrem Plan.',
  'shared.owner': 'Besitzer',
  'shared.ownerUnknown': 'unbekannt',
  'shared.address': 'Adresse',
  'shared.role': 'Meine Rolle',
  'shared.failed': 'Geteilte Proxys konnten nicht geladen werden',

  'invitations.title': 'Einladungen',
  'invitations.text': 'Wenn Sie annehmen, steht der Proxy auf dieser Seite unter Ihren eigenen.',
  'invitations.from': 'Von',
  'invitations.role': 'Rolle',
  'invitations.allows': 'Was die Rolle erlaubt',
  'invitations.accept': 'Annehmen',
  'invitations.accept.of': 'Einladung zu {proxy} annehmen',
  'invitations.accept.failed': 'Annehmen nicht möglich',
  'invitations.decline': 'Ablehnen',
  'invitations.decline.of': 'Einladung zu {proxy} ablehnen',
  'invitations.decline.ask': 'Einladung ablehnen?',
  'invitations.decline.askText':
    'Der Link zu {proxy} gilt dann nicht mehr, auch für andere nicht. Der Besitzer kann Sie neu einladen.',
  'invitations.decline.failed': 'Ablehnen nicht möglich',
  'invitations.gone': 'Diese Einladung wurde zurückgezogen oder ist abgelaufen.',
  'invitations.declined': 'Einladung abgelehnt',
  'invitations.accepted': 'Sie sind jetzt Mitglied',

  'join.failed': 'Diese Einladung kann nicht angenommen werden',
  'join.already': 'Sie sind schon dabei',
  'join.open': 'Proxy öffnen',
  'join.text':
    'Wenn Sie annehmen, sehen Sie den Proxy unter „Mit mir geteilte Proxys“. Der Besitzer erfährt Ihren Benutzernamen.',
} as const;
