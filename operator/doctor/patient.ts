import { tunnelProviders } from '@talpa/contracts';
import { openBus } from '@talpa/service-kit/bus/connect';
import { readSettings } from '@talpa/service-kit/settings';
import { defaultTunnelDomain } from '@talpa/service-kit/settings/edge-address';
import { diskFoldersOf } from '../../launcher/disk-space.ts';
import { doctorSettings, type Patient } from '../../services/notifications/doctor/finding.ts';
import { postgresVersion } from '../../services/notifications/doctor/instance.ts';
import { asAdmin } from '../backup/database.ts';
import type { Instance } from '../instance.ts';

/** An instance with the settings of its start, as the operator sees it. */
export function patientOf(instance: Instance, outside: NodeJS.ProcessEnv): Patient {
  const given = { ...outside, TUNNEL_DOMAIN: outside.TUNNEL_DOMAIN || defaultTunnelDomain };
  const settings = readSettings(doctorSettings, given);
  const { CLOUDFLARE_BASE_URL } = readSettings(['CLOUDFLARE_BASE_URL'], outside);
  const { runsHere } = tunnelProviders[settings.TUNNEL_PROVIDER];
  return {
    settings,
    diskFolders: settings.DISK_FOLDERS?.split(',') ?? diskFoldersOf(instance.folders, outside),
    clock: settings.ACME_EMAIL ? settings.ACME_DIRECTORY : runsHere ? null : CLOUDFLARE_BASE_URL,
    isContainer: process.env.TALPA_CALL !== undefined,
    stores: {
      Postgres: () => asAdmin(instance.databaseUrl(), postgresVersion),
      NATS: async () => {
        const nc = await openBus(instance.natsUrl('operator'), 'operator');
        const version = nc.info?.version ?? '';
        // It would wait for the server.
        void nc.close();
        return version;
      },
    },
    ask: instance.ask,
  };
}
