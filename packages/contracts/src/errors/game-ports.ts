import type { ErrorTexts } from './error-texts.ts';

/** Errors of game ports. */
export const gamePortsErrors = {
  game_port_limit_reached: {
    status: 403,
    de: 'Der Plan enthält keinen weiteren Game-Port (erlaubt: {limit}). Entfernen Sie einen, oder wechseln Sie zu einem größeren Plan.',
    en: 'The plan includes no more game ports (allowed: {limit}). Remove one, or upgrade to a larger plan.',
  },
  game_ports_exhausted: {
    status: 409,
    de: 'Alle öffentlichen Ports dieser Installation sind vergeben. Bitten Sie den Betreiber, den Bereich zu vergrößern.',
    en: 'All public ports of this installation are taken. Ask the operator to extend the range.',
  },
  game_port_not_found: {
    status: 404,
    de: 'Diesen Game-Port gibt es nicht mehr. Laden Sie die Seite neu.',
    en: 'This game port no longer exists. Reload the page.',
  },
  game_port_no_address: {
    status: 409,
    de: 'Ein Game-Port führt zu einer IP-Adresse, nicht zu einem Namen. Tragen Sie beim Proxy die IP-Adresse des Servers ein.',
    en: 'A game port leads to an IP address, not to a name. Enter the server’s IP address in the proxy.',
  },
  game_port_loop: {
    status: 409,
    de: 'Unter dieser Adresse und diesem Port ist Talpa selbst zu erreichen: Verbindungen liefen im Kreis. Geben Sie den Port ein, auf dem der Game-Server lauscht.',
    en: 'Talpa itself can be reached at this address and port: connections would run in circles. Enter the port that the game server listens on.',
  },
  game_ports_off: {
    status: 409,
    de: 'Auf dieser Installation gibt es keine Game-Ports.',
    en: 'This installation has no game ports.',
  },
  game_ports_unavailable: {
    status: 409,
    de: 'Game-Ports gibt es nur mit Talpas eigenem Edge. Diese Installation verwendet Cloudflare.',
    en: 'Game ports are available only with Talpa’s own edge. This installation uses Cloudflare.',
  },
} as const satisfies ErrorTexts;
