import type { ErrorTexts } from './error-texts.ts';

/** Errors of proxies, their tunnels, and the plan that limits them. */
export const proxiesErrors = {
  proxy_suspended: {
    status: 403,
    de: 'Dieser Proxy ist gesperrt. Grund: {reason}',
    en: 'This proxy is suspended. Reason: {reason}',
  },
  proxy_limit_reached: {
    status: 403,
    de: 'Ihr Proxy-Limit ist erreicht (erlaubt: {limit}). Mit einem größeren Plan können Sie mehr Proxys anlegen.',
    en: 'You’ve reached your proxy limit (allowed: {limit}). Upgrade to a larger plan to create more.',
  },
  same_plan: {
    status: 409,
    de: 'Sie haben dieses Abonnement bereits abgeschlossen',
    en: 'You are already subscribed to this plan',
  },
  plan_changes_closed: {
    status: 403,
    de: 'Pläne ändern hier nur Administratoren. Wenden Sie sich an sie, wenn Sie einen anderen Plan brauchen.',
    en: 'Only administrators change plans here. Contact them if you need a different plan.',
  },
  subdomain_similar: {
    status: 409,
    de: 'Die Subdomain „{subdomain}“ sieht einer vergebenen zum Verwechseln ähnlich. Wählen Sie eine andere.',
    en: 'The subdomain “{subdomain}” looks too much like one that is already taken. Choose a different one.',
  },
  subdomain_taken: {
    status: 409,
    de: 'Die Subdomain „{subdomain}“ ist bereits vergeben. Wählen Sie eine andere.',
    en: 'The subdomain “{subdomain}” is already taken. Choose a different one.',
  },
  subdomain_reserved: {
    status: 409,
    de: 'Die Subdomain „{subdomain}“ ist reserviert. Wählen Sie eine andere.',
    en: 'The subdomain “{subdomain}” is reserved. Choose a different one.',
  },
  hostname_in_use: {
    status: 409,
    de: 'Die Adresse „{hostname}“ ist beim Tunnel-Anbieter bereits vergeben. Wählen Sie eine andere Subdomain.',
    en: 'The address “{hostname}” is already taken at the tunnel provider. Choose a different subdomain.',
  },
  proxy_pending: {
    status: 409,
    de: 'Der Tunnel wird gerade eingerichtet. Bitte warten Sie einen Augenblick.',
    en: 'The tunnel is being set up. Please wait a moment.',
  },
  no_tunnel: {
    status: 409,
    de: 'Hier fehlt der Tunnel. Erstellen Sie ihn zuerst neu.',
    en: 'The tunnel is missing here. Recreate it first.',
  },
  tunnel_refused: {
    status: 502,
    de: 'Der Tunnel-Anbieter hat den Tunnel abgelehnt. Ihr Proxy wurde weder angelegt noch geändert.',
    en: 'The tunnel provider rejected the tunnel. Your proxy was not created or changed.',
  },
  zone_full: {
    status: 507,
    de: 'Beim Tunnel-Anbieter ist kein Platz für weitere Adressen. Ihr Proxy wurde weder angelegt noch geändert.',
    en: 'The tunnel provider has no room for more addresses. Your proxy was not created or changed.',
  },
  provider_unavailable: {
    status: 503,
    de: 'Der Tunnel-Anbieter antwortet gerade nicht. Bitte versuchen Sie es gleich noch einmal.',
    en: 'The tunnel provider is not responding right now. Please try again shortly.',
  },
  request_log_unavailable: {
    status: 409,
    de: 'Auf dieser Installation gibt es kein Anfrage-Protokoll.',
    en: 'This installation has no request log.',
  },
} as const satisfies ErrorTexts;
