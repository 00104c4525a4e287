import type { Text } from './language.ts';
import type { ProviderFault } from './provider-problems.ts';

/** What is wrong at the tunnel provider, and what an operator has to do. */
export const providerFaultTexts: Readonly<Record<ProviderFault, Text>> = {
  token_malformed: {
    de: 'Der Tunnel-Anbieter kann das API-Token nicht lesen. Prüfen Sie, ob CLOUDFLARE_API_TOKEN vollständig ist.',
    en: 'The tunnel provider can’t read the API token. Check that CLOUDFLARE_API_TOKEN is complete.',
  },
  token_refused: {
    de: 'Der Tunnel-Anbieter lehnt das API-Token ab. Prüfen Sie, ob CLOUDFLARE_API_TOKEN noch gültig ist und die nötigen Rechte für das Konto und die Zone hat.',
    en: 'The tunnel provider rejects the API token. Check that CLOUDFLARE_API_TOKEN is still valid and has the required permissions for the account and the zone.',
  },
  account_unknown: {
    de: 'Der Tunnel-Anbieter kennt das Konto nicht. Prüfen Sie die Einstellung CLOUDFLARE_ACCOUNT_ID.',
    en: 'The tunnel provider doesn’t know the account. Check the setting CLOUDFLARE_ACCOUNT_ID.',
  },
  zone_unknown: {
    de: 'Der Tunnel-Anbieter kennt die Zone nicht. Prüfen Sie die Einstellung CLOUDFLARE_ZONE_ID.',
    en: 'The tunnel provider doesn’t know the zone. Check the setting CLOUDFLARE_ZONE_ID.',
  },
  zone_inactive: {
    de: 'Die Zone ist beim Tunnel-Anbieter nicht aktiv. Prüfen Sie dort, ob sie angehalten ist und ob die Domain auf dessen Nameserver zeigt.',
    en: 'The zone is not active at the tunnel provider. Check there whether it is paused and whether the domain points to the provider’s name servers.',
  },
  zone_of_another_account: {
    de: 'Die Zone gehört zu einem anderen Konto als die Tunnel. Prüfen Sie CLOUDFLARE_ACCOUNT_ID und CLOUDFLARE_ZONE_ID.',
    en: 'The zone belongs to a different account than the tunnels. Check CLOUDFLARE_ACCOUNT_ID and CLOUDFLARE_ZONE_ID.',
  },
  domain_outside_zone: {
    de: 'Die Domain der Subdomains liegt nicht in der Zone. Prüfen Sie TUNNEL_DOMAIN und CLOUDFLARE_ZONE_ID.',
    en: 'The domain of the subdomains is not in the zone. Check TUNNEL_DOMAIN and CLOUDFLARE_ZONE_ID.',
  },
  record_not_proxied: {
    de: 'Der Tunnel-Anbieter leitet Besucher nicht durch die Tunnel. Prüfen Sie in den Einstellungen der Zone, ob Einträge über dessen Proxy laufen dürfen.',
    en: 'The tunnel provider doesn’t route visitors through the tunnels. Check in the zone’s settings whether records may be proxied.',
  },
  zone_full: {
    de: 'Die Zone hat beim Tunnel-Anbieter keinen Platz für weitere DNS-Einträge. Löschen Sie dort Einträge, oder wechseln Sie den Plan der Zone.',
    en: 'The zone has no room for more DNS records at the tunnel provider. Delete records there, or change the zone’s plan.',
  },
  tunnels_missing: {
    de: 'Viele Tunnel gibt es beim Anbieter nicht mehr. Prüfen Sie CLOUDFLARE_ACCOUNT_ID. Wenn die Tunnel gelöscht wurden, bestätigen Sie es mit „npm run talpa -- resync --confirm“.',
    en: 'Many tunnels no longer exist at the provider. Check CLOUDFLARE_ACCOUNT_ID. If the tunnels were deleted, confirm it with “npm run talpa -- resync --confirm”.',
  },
};
