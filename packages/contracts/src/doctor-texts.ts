import { certificateProblems } from './certificate-problems.ts';
import { fill, type Language, type Text, type TextParams } from './language.ts';

/** What the doctor looks at, in the order in which the command lists it. */
export const doctorChecks = {
  settings: { de: 'Einstellungen', en: 'Settings' },
  dns: { de: 'DNS-Einträge', en: 'DNS records' },
  reach: { de: 'Erreichbarkeit', en: 'Reachability' },
  certificate: { de: 'Zertifikate', en: 'Certificates' },
  mail: { de: 'E-Mail-Versand', en: 'Email' },
  clock: { de: 'Uhr', en: 'Clock' },
  disk: { de: 'Speicherplatz', en: 'Disk space' },
  stores: { de: 'Datenspeicher', en: 'Stores' },
  jobs: { de: 'Aufträge', en: 'Jobs' },
  backup: { de: 'Backup', en: 'Backups' },
} as const satisfies Readonly<Record<string, Text>>;
export type DoctorCheck = keyof typeof doctorChecks;

/** The worst first. `unknown`: it cannot be known from where the doctor looks. */
export const doctorStates = ['failed', 'warning', 'unknown', 'ok'] as const;
export type DoctorState = (typeof doctorStates)[number];

/** What the doctor says of something that is as it should be, or where it is told to look. */
interface Saying extends Text {
  readonly state: DoctorState;
  /** What to do about it. */
  readonly advice?: Text;
  /** What decides it. */
  readonly settings?: readonly string[];
  /** Where it is described, in the folder of this release. */
  readonly document?: string;
}

const publicAddress = { document: 'docs/settings.md#what-a-public-installation-needs' } as const;
const certificates = { settings: ['ACME_EMAIL'], document: 'docs/troubleshooting.md#certificates' } as const;
const mail = { settings: ['SMTP_URL', 'MAIL_FROM'], document: 'docs/install.md#settings' } as const;
const backup = {
  document: 'docs/install.md#back-up',
  advice: {
    de: 'Erstellen Sie eines mit „{talpa} backup <Ordner>“, am besten jede Nacht.',
    en: 'Make one with “{talpa} backup <folder>”, ideally every night.',
  },
} as const;

/** All that the doctor says: to administrators and operators, who know settings by their names. */
export const doctorSayings = {
  settings_fit: {
    state: 'ok',
    de: 'Alle Einstellungen haben gültige Werte.',
    en: 'All settings have valid values.',
  },
  settings_near: {
    state: 'warning',
    de: '{name} ist keine Einstellung und bewirkt nichts.',
    en: '{name} is not a setting and does nothing.',
    advice: { de: 'Meinten Sie {meant}?', en: 'Did you mean {meant}?' },
    document: 'docs/settings.md',
  },
  settings_wrong: {
    state: 'failed',
    de: 'So würde Talpa nicht starten: {reason}',
    en: 'Talpa would not start like this: {reason}',
    document: 'docs/settings.md',
  },
  dns_local: {
    state: 'warning',
    de: '{host}, für {what}, führt nur auf diesen Rechner.',
    en: '{host}, for {what}, leads to this machine only.',
    advice: {
      de: 'Damit andere Talpa nutzen können, nehmen Sie eine öffentliche Adresse.',
      en: 'For others to use Talpa, choose a public address.',
    },
    ...publicAddress,
  },
  dns_here: {
    state: 'ok',
    de: '{host}, für {what}, führt auf diesen Server ({addresses}).',
    en: '{host}, for {what}, leads to this server ({addresses}).',
  },
  dns_elsewhere: {
    state: 'unknown',
    de: '{host}, für {what}, führt zu {addresses}. Keine dieser Adressen hat dieser Server selbst.',
    en: '{host}, for {what}, leads to {addresses}. This server itself has none of these addresses.',
    advice: {
      de: 'Hinter NAT oder einem Load-Balancer und in Containern ist das richtig. Sonst ändern Sie den DNS-Eintrag.',
      en: 'Behind NAT or a load balancer, and in containers, that is right. Otherwise change the DNS record.',
    },
    ...publicAddress,
  },
  dns_missing: {
    state: 'failed',
    de: '{host}, für {what}, wurde im DNS nicht gefunden ({reason}).',
    en: '{host}, for {what}, was not found in DNS ({reason}).',
    advice: {
      de: 'Legen Sie einen A- oder AAAA-Eintrag an, der auf diesen Server zeigt.',
      en: 'Create an A or AAAA record that points to this server.',
    },
    ...publicAddress,
  },
  url_missing: {
    state: 'warning',
    de: 'PUBLIC_URL ist nicht gesetzt: E-Mails enthalten keine Links, und Passkeys und geschützte Proxys funktionieren nicht.',
    en: 'PUBLIC_URL is not set: emails have no links, and passkeys and protected proxies don’t work.',
    advice: {
      de: 'Setzen Sie die öffentliche Adresse des Panels.',
      en: 'Set the panel’s public address.',
    },
    settings: ['PUBLIC_URL'],
    ...publicAddress,
  },
  panel_responds: {
    state: 'ok',
    de: '{url} antwortet, von diesem Server aus gefragt.',
    en: '{url} is responding, asked from this server.',
  },
  panel_faulty: {
    state: 'failed',
    de: '{url} antwortet mit dem Status {status}: {reason}',
    en: '{url} is responding with status {status}: {reason}',
    advice: {
      de: 'Die Antwort nennt, was fehlt. Steht dort nichts von Talpa, antwortet ein anderer Server.',
      en: 'The response says what is missing. If it isn’t Talpa’s, another server is responding.',
    },
    settings: ['PUBLIC_URL'],
    document: 'docs/observability.md#readiness',
  },
  panel_silent: {
    state: 'failed',
    de: '{url} antwortet nicht ({reason}).',
    en: '{url} is not responding ({reason}).',
    advice: {
      de: 'Öffnen Sie den Port, und prüfen Sie, ob Talpa läuft. Manche Router lassen ihre eigene Adresse von innen nicht zu.',
      en: 'Open the port, and check that Talpa is running. Some routers don’t let their own address be used from within.',
    },
    settings: ['PUBLIC_URL'],
    ...publicAddress,
  },
  connectors_reach: {
    state: 'ok',
    de: 'Connectoren erreichen {address} über TCP, von diesem Server aus versucht.',
    en: 'Connectors reach {address} over TCP, tried from this server.',
  },
  connectors_fail: {
    state: 'failed',
    de: 'Connectoren erreichen {address} nicht über TCP ({reason}).',
    en: 'Connectors can’t reach {address} over TCP ({reason}).',
    advice: { de: 'Öffnen Sie diesen Port.', en: 'Open that port.' },
    settings: ['EDGE_ADDRESS', 'EDGE_CONNECTOR_PORT'],
    ...publicAddress,
  },
  address_unseen: {
    state: 'unknown',
    de: '{address} ist aus einem Container heraus nicht zu erreichen ({reason}).',
    en: '{address} can’t be reached from inside a container ({reason}).',
    advice: { de: 'Prüfen Sie es von einem anderen Gerät.', en: 'Check it from another device.' },
    ...publicAddress,
  },
  certificate_valid: {
    state: 'ok',
    de: 'Das Zertifikat von {host} ist gültig. Verbleibende Tage: {left}.',
    en: 'The certificate of {host} is valid. Days left: {left}.',
  },
  certificate_ends: {
    state: 'warning',
    de: 'Das Zertifikat von {host} läuft bald ab. Verbleibende Tage: {left}.',
    en: 'The certificate of {host} expires soon. Days left: {left}.',
    advice: {
      de: 'Erneuern Sie es. Mit ACME_EMAIL macht Talpa das selbst.',
      en: 'Renew it. With ACME_EMAIL, Talpa does that automatically.',
    },
    ...certificates,
  },
  certificate_refused: {
    state: 'failed',
    de: 'Browser lehnen das Zertifikat von {host} ab ({reason}).',
    en: 'Browsers reject the certificate of {host} ({reason}).',
    advice: {
      de: 'Ersetzen Sie es. Mit ACME_EMAIL bestellt Talpa selbst eines.',
      en: 'Replace it. With ACME_EMAIL, Talpa orders one automatically.',
    },
    ...certificates,
  },
  certificate_none: {
    state: 'failed',
    de: '{host} zeigt kein Zertifikat ({reason}).',
    en: '{host} shows no certificate ({reason}).',
    advice: {
      de: 'Prüfen Sie, was unter dieser Adresse und diesem Port antwortet.',
      en: 'Check what is responding at this address and port.',
    },
    ...certificates,
  },
  certificate_unissued: {
    state: 'failed',
    de: 'Für {name} wurde kein Zertifikat ausgestellt.',
    en: 'No certificate was issued for {name}.',
    advice: { de: 'Grund: {problem}', en: 'Reason: {problem}' },
    ...certificates,
  },
  mail_missing: {
    state: 'warning',
    de: 'SMTP_URL ist nicht gesetzt: Links für Benutzer geben Sie selbst weiter, und niemand erfährt per E-Mail von einem Ausfall.',
    en: 'SMTP_URL is not set: you hand over links for users, and nobody gets an email about an outage.',
    advice: { de: 'Richten Sie einen Mailserver ein.', en: 'Set up a mail server.' },
    ...mail,
  },
  mail_accepts: {
    state: 'ok',
    de: 'Der Mailserver nimmt die Verbindung und die Anmeldung an.',
    en: 'The mail server accepts the connection and the sign-in.',
  },
  mail_refused: {
    state: 'failed',
    de: 'Der Mailserver lässt sich nicht benutzen ({reason}).',
    en: 'The mail server can’t be used ({reason}).',
    advice: {
      de: 'Prüfen Sie Adresse und Zugangsdaten und ob die Firewall den Port nach außen zulässt.',
      en: 'Check its address and credentials, and that the firewall allows its port.',
    },
    ...mail,
  },
  mail_sender_refused: {
    state: 'failed',
    de: 'Der Mailserver nimmt die Anmeldung an, hat aber den Absender der letzten E-Mail abgelehnt.',
    en: 'The mail server accepts the sign-in, but has rejected the sender of the last email.',
    advice: {
      de: 'Nehmen Sie für MAIL_FROM eine Adresse, von der dieser Mailserver E-Mails annimmt.',
      en: 'For MAIL_FROM, use an address from which this mail server accepts emails.',
    },
    ...mail,
  },
  clock_agrees: {
    state: 'ok',
    de: 'Die Uhr stimmt mit der von {host} überein.',
    en: 'The clock agrees with that of {host}.',
  },
  clock_synchronized: {
    state: 'ok',
    de: 'Die Uhr wird mit NTP gestellt (systemd-timesyncd).',
    en: 'The clock is synchronized with NTP (systemd-timesyncd).',
  },
  clock_differs: {
    state: 'failed',
    de: 'Die Uhr dieses Servers geht gegenüber {host} um {seconds}\u00a0s falsch. Zertifikate und Codes aus Apps werden abgelehnt.',
    en: 'This server’s clock differs from that of {host} by {seconds}\u00a0s. Certificates and codes of apps are rejected.',
    advice: {
      de: 'Stellen Sie die Uhr mit NTP: timedatectl set-ntp true',
      en: 'Set the clock with NTP: timedatectl set-ntp true',
    },
    document: 'docs/troubleshooting.md',
  },
  clock_behind: {
    state: 'failed',
    de: 'Die Uhr dieses Servers steht auf {time}, das ist vor der Installation von Talpa ({installed}).',
    en: 'This server’s clock says {time}, which is before Talpa was installed ({installed}).',
    advice: {
      de: 'Stellen Sie die Uhr mit NTP: timedatectl set-ntp true',
      en: 'Set the clock with NTP: timedatectl set-ntp true',
    },
    document: 'docs/troubleshooting.md',
  },
  clock_silent: {
    state: 'unknown',
    de: '{host} hat die Uhrzeit nicht genannt ({reason}).',
    en: '{host} didn’t tell the time ({reason}).',
    advice: {
      de: 'Prüfen Sie, ob dieser Server ins Internet kommt.',
      en: 'Check that this server has Internet access.',
    },
    document: 'docs/troubleshooting.md',
  },
  clock_unknown: {
    state: 'unknown',
    de: 'Kein Server wurde nach der Uhrzeit gefragt.',
    en: 'No server was asked for the time.',
    advice: {
      de: 'Stellen Sie sicher, dass die Uhr mit NTP gestellt wird.',
      en: 'Make sure that the clock is synchronized with NTP.',
    },
  },
  disk_roomy: {
    state: 'ok',
    de: 'In {folder} sind {free}\u00a0MB frei.',
    en: '{free}\u00a0MB are free in {folder}.',
  },
  disk_short: {
    state: 'failed',
    de: 'In {folder} sind nur {free}\u00a0MB frei, weniger als DISK_RESERVE: Proxys und Konten werden nicht angelegt.',
    en: 'Only {free}\u00a0MB are free in {folder}, less than DISK_RESERVE: no proxies and accounts are created.',
    advice: { de: 'Schaffen Sie Platz.', en: 'Free up space.' },
    settings: ['DISK_RESERVE'],
    document: 'docs/observability.md#disk-space',
  },
  disk_unknown: {
    state: 'unknown',
    de: 'Der freie Speicherplatz von {folder} ist nicht bekannt.',
    en: 'The free space of {folder} is unknown.',
    advice: { de: 'Prüfen Sie, ob es den Ordner gibt.', en: 'Check that the folder exists.' },
    settings: ['DISK_FOLDERS'],
    document: 'docs/observability.md#disk-space',
  },
  store_responds: {
    state: 'ok',
    de: '{store} {version} antwortet.',
    en: '{store} {version} is responding.',
  },
  not_running: {
    state: 'failed',
    de: 'Talpa läuft nicht ({folder}).',
    en: 'Talpa isn’t running ({folder}).',
    advice: {
      de: 'Starten Sie es mit „{start}“. Alles Weitere lässt sich erst dann prüfen.',
      en: 'Start it with “{start}”. The rest can only be checked while it runs.',
    },
    document: 'docs/troubleshooting.md#start-and-upgrade',
  },
  store_away: {
    state: 'failed',
    de: '{store} ist nicht zu erreichen ({reason}).',
    en: '{store} can’t be reached ({reason}).',
    advice: {
      de: 'Das Log von {store} nennt den Grund.',
      en: 'The log of {store} says why.',
    },
    document: 'docs/troubleshooting.md#start-and-upgrade',
  },
  jobs_work: {
    state: 'ok',
    de: 'Kein Auftrag ist fehlgeschlagen.',
    en: 'No proxy’s provisioning keeps failing.',
  },
  jobs_fail: {
    state: 'failed',
    de: 'Proxys, deren Tunnel sich nicht einrichten ließ: {count}.',
    en: 'Proxies whose provisioning keeps failing: {count}.',
    advice: {
      de: '„{talpa} dead-letters list“ nennt die Gründe.',
      en: '“{talpa} dead-letters list” says why.',
    },
    document: 'docs/troubleshooting.md#tunnels-and-visitors',
  },
  backup_fresh: {
    state: 'ok',
    de: 'Alter des letzten Backups in Tagen: {age}.',
    en: 'Age of the last backup in days: {age}.',
  },
  backup_old: {
    state: 'warning',
    de: 'Das letzte Backup ist alt. Tage seither: {age}.',
    en: 'The last backup is old. Days since then: {age}.',
    ...backup,
  },
  backup_none: {
    state: 'warning',
    de: 'Es gibt noch kein Backup.',
    en: 'None was ever made.',
    ...backup,
  },
  not_told: {
    state: 'unknown',
    de: '{service} hat nicht geantwortet ({reason}).',
    en: '{service} didn’t respond ({reason}).',
    advice: {
      de: 'Das Log von {service} nennt den Grund.',
      en: 'The log of {service} says why.',
    },
    document: 'docs/observability.md#logs',
  },
} as const satisfies Readonly<Record<string, Saying>>;
export type DoctorSaying = keyof typeof doctorSayings;

/** What a name in DNS is for, and what decides it. */
const hosts = {
  panel: { de: 'das Panel', en: 'the panel', setting: 'PUBLIC_URL' },
  subdomains: { de: 'die Subdomains', en: 'subdomains', setting: 'TUNNEL_DOMAIN' },
  connectors: { de: 'Connectoren', en: 'connectors', setting: 'EDGE_ADDRESS' },
} as const satisfies Readonly<Record<string, Text & { readonly setting: string }>>;
/** Parameters that are words in both languages. */
const words: Readonly<Record<string, Readonly<Record<string, Text>>>> = {
  what: hosts,
  problem: certificateProblems,
};
export type DoctorHost = keyof typeof hosts;

/** A finding in words. */
interface Said {
  readonly text: string;
  /** Null where there is nothing to do. */
  readonly advice: string | null;
  readonly settings: readonly string[];
  readonly document: string | null;
}

/** @param talpa how the operator's commands are called */
export function doctorWords(
  finding: { readonly says: DoctorSaying; readonly params: TextParams },
  language: Language,
  talpa = 'npm run talpa --',
): Said {
  const saying: Saying = doctorSayings[finding.says];
  const { advice, document = null } = saying;
  const host = hosts[finding.params.what as DoctorHost] as (typeof hosts)[DoctorHost] | undefined;
  const settings = saying.settings ?? (host && advice ? [host.setting] : []);
  const params = Object.entries(finding.params).map(([name, value]) => [
    name,
    words[name]?.[value]?.[language] ?? value.toLocaleString(language),
  ]);
  const say = (one: Text) => fill(one[language], { ...Object.fromEntries(params), talpa });
  return { text: say(saying), advice: advice ? say(advice) : null, settings, document };
}
