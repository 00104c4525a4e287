import type { Sql } from '@talpa/service-kit/database/sql';
import { openKeyRing } from '@talpa/service-kit/key-ring';
import type { Log } from '@talpa/service-kit/log';
import type { Settings } from '@talpa/service-kit/settings';
import { createPanelForwarder } from '../panel/forward.ts';
import type { frontSettingNames } from '../settings.ts';
import type { Front } from '../visitors/front.ts';
import { createCertificates } from './certificates.ts';
import { findChallenge, findTlsChallenge } from './challenges.ts';

type FrontSettings = Settings<(typeof frontSettingNames)[number] | 'TUNNEL_PUBLIC_PORT' | 'PUBLIC_URL'>;

/**
 * Makes the public entrance where ACME_EMAIL is set; null without it.
 * @throws Error when a setting that it needs is missing
 */
export function createFront(settings: FrontSettings, sql: Sql, log: Log): Front | null {
  const { ACME_EMAIL, PUBLIC_URL, EDGE_PANEL_URL } = settings;
  if (!ACME_EMAIL) return null;
  if (!PUBLIC_URL?.startsWith('https:')) throw new Error('ACME_EMAIL needs a PUBLIC_URL with https');
  if (!EDGE_PANEL_URL) throw new Error('ACME_EMAIL needs EDGE_PANEL_URL');
  const panel = new URL(PUBLIC_URL);
  const names = { panelHost: panel.hostname };
  return {
    certificates: createCertificates(sql, openKeyRing(settings.CERTIFICATE_KEYS), names, log),
    findChallenge: (host, token) => findChallenge(sql, host, token),
    findTlsChallenge: (host) => findTlsChallenge(sql, host),
    panel: createPanelForwarder(new URL(EDGE_PANEL_URL), log),
    panelHost: panel.hostname,
    panelPort: Number(panel.port || 443),
    tunnelPort: settings.TUNNEL_PUBLIC_PORT,
  };
}
