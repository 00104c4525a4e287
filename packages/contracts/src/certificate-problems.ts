import type { Text } from './language.ts';

/** Why a certificate could not be ordered, and what an operator does about it. */
export const certificateProblems = {
  authority_unreachable: {
    de: 'Die Zertifizierungsstelle ist nicht erreichbar. Prüfen Sie, ob dieser Server ins Internet kommt und ob ACME_DIRECTORY stimmt.',
    en: 'The certificate authority can’t be reached. Check that this server has Internet access and that ACME_DIRECTORY is correct.',
  },
  resolver_failed: {
    de: 'Dieser Server kann den Namen der Zertifizierungsstelle nicht auflösen: sein DNS funktioniert nicht. Prüfen Sie /etc/resolv.conf und ob DNS-Anfragen (Port 53) nach außen erlaubt sind.',
    en: 'This server can’t resolve the certificate authority’s name: its DNS doesn’t work. Check /etc/resolv.conf, and that outgoing DNS queries (port 53) are allowed.',
  },
  authority_failed: {
    de: 'Die Zertifizierungsstelle hat gerade eine Störung. Der nächste Versuch läuft automatisch.',
    en: 'The certificate authority has a temporary failure. The next attempt runs automatically.',
  },
  clock_wrong: {
    de: 'Die Uhr dieses Servers geht falsch. Stellen Sie sie mit NTP.',
    en: 'This server’s clock is wrong. Set it with NTP.',
  },
  name_not_resolving: {
    de: 'Der Name führt im DNS nirgendwohin. Legen Sie einen A- oder AAAA-Eintrag an, der auf diesen Server zeigt.',
    en: 'The name has no address in DNS. Create an A or AAAA record that points to this server.',
  },
  name_servers_failed: {
    de: 'Die Nameserver der Domain antworten der Zertifizierungsstelle nicht oder mit einem Fehler. Prüfen Sie beim DNS-Anbieter die Nameserver und DNSSEC.',
    en: 'The domain’s name servers don’t answer the certificate authority, or answer with an error. Check the name servers and DNSSEC at your DNS provider.',
  },
  port_closed: {
    de: 'Die Zertifizierungsstelle erreicht diesen Server weder auf Port 80 noch auf Port 443. Öffnen Sie beide Ports in der Firewall, und prüfen Sie, ob der DNS-Eintrag auf diesen Server zeigt.',
    en: 'The certificate authority can’t reach this server on port 80 or port 443. Open both ports in the firewall, and check that the DNS record points to this server.',
  },
  wrong_server: {
    de: 'Unter dem Namen antwortet ein anderer Server. Prüfen Sie, ob die A- und AAAA-Einträge auf diesen Server zeigen und kein Proxy davor auf Port 80 und 443 antwortet.',
    en: 'Another server responds at this name. Check that its A and AAAA records point to this server, and that no proxy in front of it answers on ports 80 and 443.',
  },
  rate_limited: {
    de: 'Die Zertifizierungsstelle nimmt wegen ihrer Limits vorerst keine Bestellung an. Der nächste Versuch läuft automatisch.',
    en: 'The certificate authority’s limits don’t allow an order right now. The next attempt runs automatically.',
  },
  weekly_limit: {
    de: 'In den letzten sieben Tagen wurden so viele Zertifikate bestellt, wie ACME_WEEKLY_LIMIT erlaubt. Mit einem DNS-Anbieter (ACME_CLOUDFLARE_TOKEN oder ACME_RFC2136_URL) genügt eines für alle Subdomains.',
    en: 'As many certificates as ACME_WEEKLY_LIMIT allows were ordered within the last seven days. With a DNS provider (ACME_CLOUDFLARE_TOKEN or ACME_RFC2136_URL) one covers all subdomains.',
  },
  account_refused: {
    de: 'Die Zertifizierungsstelle lehnt das Konto ab. Prüfen Sie ACME_EMAIL, und bei einer Stelle, die ein externes Konto verlangt, ACME_EAB_KEY_ID und ACME_EAB_KEY.',
    en: 'The certificate authority rejects the account. Check ACME_EMAIL and, if the authority requires an external account, ACME_EAB_KEY_ID and ACME_EAB_KEY.',
  },
  name_refused: {
    de: 'Die Zertifizierungsstelle stellt für diesen Namen kein Zertifikat aus. Prüfen Sie die CAA-Einträge der Domain.',
    en: 'The certificate authority doesn’t issue certificates for this name. Check the domain’s CAA records.',
  },
  dns_access_refused: {
    de: 'Der DNS-Anbieter lehnt die Zugangsdaten ab. Prüfen Sie ACME_CLOUDFLARE_TOKEN oder ACME_RFC2136_URL und ob sie Einträge der Tunnel-Domain ändern dürfen.',
    en: 'The DNS provider rejects the credentials. Check ACME_CLOUDFLARE_TOKEN or ACME_RFC2136_URL, and that they may change records of the tunnel domain.',
  },
  dns_unreachable: {
    de: 'Der DNS-Anbieter ist nicht erreichbar. Prüfen Sie ACME_CLOUDFLARE_TOKEN oder ACME_RFC2136_URL und die Firewall.',
    en: 'The DNS provider can’t be reached. Check ACME_CLOUDFLARE_TOKEN or ACME_RFC2136_URL, and the firewall.',
  },
  record_not_seen: {
    de: 'Die Zertifizierungsstelle hat den DNS-Eintrag „_acme-challenge“ nicht gefunden. Prüfen Sie, ob der DNS-Anbieter für die Tunnel-Domain zuständig ist.',
    en: 'The certificate authority didn’t find the “_acme-challenge” record. Check that the DNS provider is authoritative for the tunnel domain.',
  },
  unknown: {
    de: 'Das Zertifikat konnte nicht bestellt werden. Was die Zertifizierungsstelle dazu sagt, steht dabei.',
    en: 'The certificate could not be ordered. What the certificate authority said is shown with it.',
  },
} as const satisfies Record<string, Text>;

export type CertificateProblem = keyof typeof certificateProblems;
export const certificateProblemNames = Object.keys(certificateProblems) as [
  CertificateProblem,
  ...CertificateProblem[],
];
