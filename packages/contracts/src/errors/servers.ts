import type { ErrorTexts } from './error-texts.ts';

/** Errors of servers, which several proxies share. */
export const serversErrors = {
  server_limit_reached: {
    status: 403,
    de: 'Sie können höchstens so viele Server haben wie Proxys (erlaubt: {limit}). Löschen Sie einen, oder wechseln Sie in einen größeren Plan.',
    en: 'You can have only as many servers as proxies (allowed: {limit}). Delete one, or upgrade to a larger plan.',
  },
  server_not_found: {
    status: 404,
    de: 'Diesen Server gibt es nicht, oder er gehört jemand anderem.',
    en: 'This server does not exist, or it belongs to somebody else.',
  },
  server_not_empty: {
    status: 409,
    de: 'Dieser Server hat noch Proxys. Löschen oder verschieben Sie diese zuerst.',
    en: 'This server still has proxies. Delete or move them first.',
  },
  server_full: {
    status: 409,
    de: 'Auf diesem Server ist kein Platz für weitere Adressen (höchstens {limit}).',
    en: 'This server has no room for more addresses (maximum: {limit}).',
  },
  server_token_shared: {
    status: 409,
    de: 'Jemand anderes kennt das Token dieses Servers und käme damit auch an den weiteren Proxy. Erstellen Sie zuerst seinen Tunnel neu.',
    en: 'Somebody else knows this server’s token and could use it for the added proxy, too. Recreate its tunnel first.',
  },
  upgrade_running: {
    status: 503,
    de: 'Diese Installation wird gerade aktualisiert. Server mit mehreren Proxys gibt es, sobald das abgeschlossen ist.',
    en: 'This installation is being upgraded. Servers with several proxies become available once that is finished.',
  },
} as const satisfies ErrorTexts;
