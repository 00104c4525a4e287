import type { Language } from '@talpa/contracts';

/** What the install scripts say. `%s` is what they fill in. */
const texts = {
  needsRoot: {
    de: 'Das braucht Root-Rechte: Führen Sie den Befehl mit sudo oder als root aus.',
    en: 'This needs root: Run the command with sudo or as root.',
  },
  needsLinux: {
    de: 'Dieser Befehl ist für Linux. Das Panel zeigt auch den für Windows.',
    en: 'This command is for Linux. The panel also shows the one for Windows.',
  },
  noDownloader: {
    de: 'Weder curl noch wget ist installiert.',
    en: 'Neither curl nor wget is installed.',
  },
  noProgram: {
    de: 'Für diesen Server gibt es kein %s.',
    en: 'There is no %s for this server.',
  },
  downloading: { de: 'Lade %s …', en: 'Downloading %s…' },
  downloadFailed: {
    de: '%s konnte nicht geladen werden.',
    en: '%s could not be downloaded.',
  },
  wrongHash: {
    de: '%s ist nicht die Datei, die %s erwartet (SHA-256). Nichts wurde installiert.',
    en: '%s is not the file that %s expects (SHA-256). Nothing was installed.',
  },
  detecting: {
    de: 'Suche das Admin-Panel auf diesem Server …',
    en: 'Looking for the admin panel on this server…',
  },
  detected: { de: 'Admin-Panel: %s auf Port %s', en: 'Admin panel: %s on port %s' },
  askPort: {
    de: 'Kein bekanntes Admin-Panel gefunden. Auf welchem Port läuft es?',
    en: 'No known admin panel found. Which port does it run on?',
  },
  askOne: { de: 'Welchen Port?', en: 'Which port?' },
  askWhich: {
    de: 'Welche davon verbinden? Nummern oder Ports, etwa „1 3“ (Eingabetaste: alle, 0: keine)',
    en: 'Which of them should be connected? Numbers or ports, such as “1 3” (Enter: all, 0: none)',
  },
  badChoice: {
    de: 'Das ist keine Nummer aus der Liste und kein Port.',
    en: 'That is neither a number in the list nor a port.',
  },
  portsByCommand: {
    de: 'Hier kann Sie niemand fragen. Schreiben Sie die Ports, die Sie verbinden möchten, hinter den Schlüssel: talpa_enrol SCHLÜSSEL %s',
    en: 'Nobody can be asked here. Add the ports that you want to connect after the key: talpa_enrol KEY %s',
  },
  noMore: { de: 'Kein weiteres Admin-Panel gefunden.', en: 'No other admin panel found.' },
  noPort: { de: '„%s“ ist kein Port.', en: '“%s” is not a port.' },
  notAdded: { de: 'Nicht verbunden:', en: 'Not connected:' },
  noPanel: {
    de: 'Das Admin-Panel wurde nicht gefunden. Schreiben Sie seinen Port hinter den Schlüssel und führen Sie den Befehl noch einmal aus.',
    en: 'The admin panel was not found. Add its port after the key and run the command again.',
  },
  noResponse: {
    de: '%s antwortet nicht wie erwartet. Versuchen Sie es gleich noch einmal.',
    en: '%s does not respond as expected. Try again shortly.',
  },
  notConnected: {
    de: 'Der Connector läuft, kann sich aber nicht verbinden. Lassen Sie in der Firewall ausgehende TCP-Verbindungen zu %s zu.',
    en: 'The connector runs but cannot connect. Allow outgoing TCP connections to %s in the firewall.',
  },
  refused: {
    de: 'Der Connector läuft und erreicht %s, wird dort aber nicht angenommen:',
    en: 'The connector runs and reaches %s but is not accepted there:',
  },
  ended: {
    de: 'Der Connector hat sich gleich wieder beendet. Sein Log („%s“) zeigt, warum.',
    en: 'The connector ended right after it started. Its log (“%s”) shows why.',
  },
  log: { de: 'Mehr zeigt „%s“.', en: '“%s” shows more.' },
  unchanged: {
    de: 'Der Connector läuft unverändert weiter.',
    en: 'The connector keeps running unchanged.',
  },
  noInit: {
    de: 'Hier läuft weder systemd noch OpenRC: Nach einem Neustart führen Sie den Befehl noch einmal aus.',
    en: 'Neither systemd nor OpenRC runs here: After a restart, run the command again.',
  },
  waiting: { de: 'Verbinde …', en: 'Connecting…' },
  connected: {
    de: '✓ Verbunden. Das Admin-Panel (%s) ist jetzt erreichbar unter',
    en: '✓ Connected. The admin panel (%s) is now reachable at',
  },
  serverConnected: {
    de: '✓ Der Connector dieses Servers läuft.',
    en: '✓ The connector of this server is running.',
  },
  noPanelThere: {
    de: '✓ Verbunden, aber unter %s antwortet noch kein Admin-Panel. Sobald es läuft, ist es erreichbar unter',
    en: '✓ Connected, but no admin panel responds at %s yet. As soon as it runs, it is reachable at',
  },
  askReplace: {
    de: 'Der Dienst „cloudflared“ hält denselben Tunnel und wird nicht mehr gebraucht. Abschalten? [j/N]',
    en: 'The service “cloudflared” holds the same tunnel and is no longer needed. Switch it off? [y/N]',
  },
  replaced: { de: '„cloudflared“ ist abgeschaltet.', en: '“cloudflared” is switched off.' },
  removed: { de: 'Connector %s ist entfernt.', en: 'Connector %s is removed.' },
  kept: {
    de: 'Der Server und seine Proxys bleiben im Panel. Löschen Sie sie dort, oder führen Sie hier später wieder einen Befehl aus: An der Datei %s erkennt ihn das Panel.',
    en: 'The server and its proxies stay in the panel. Delete them there, or run a command here again later: The panel recognizes it by the file %s.',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>;

/** What the scripts say in a language, by the names of their gaps. */
export const scriptTexts = (language: Language): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [`text.${key}`, text[language]]));
