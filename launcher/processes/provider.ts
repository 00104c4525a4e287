import { tunnelProviders } from '@talpa/contracts';
import { CliError } from '@talpa/instance/cli';
import type { Secrets } from '@talpa/instance/secrets';
import { readSettings } from '@talpa/service-kit/settings';

export interface ProviderSettings {
  /** Whether a process of ours is the provider; else it is Cloudflare. */
  readonly embedded: boolean;
  /** The CLOUDFLARE_* values: what the worker sends is what the embedded provider accepts. */
  readonly env: Readonly<Record<string, string>>;
}

/** Which tunnel provider is meant, from TUNNEL_PROVIDER and CLOUDFLARE_*. */
export function providerSettings(outside: NodeJS.ProcessEnv, secrets: Secrets): ProviderSettings {
  const { TUNNEL_PROVIDER: kind } = readSettings(['TUNNEL_PROVIDER'], outside);
  if (tunnelProviders[kind].runsHere)
    return {
      embedded: true,
      env: {
        CLOUDFLARE_API_TOKEN: secrets.providerToken,
        CLOUDFLARE_ACCOUNT_ID: secrets.installationId,
        CLOUDFLARE_ZONE_ID: secrets.installationId,
        // Our own provider refuses no number of calls; this only bounds what a fault of ours could do.
        PROVIDER_CALL_LIMIT_PER_5_MINUTES: outside.PROVIDER_CALL_LIMIT_PER_5_MINUTES ?? '60000',
      },
    };
  const needed = ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID', 'CLOUDFLARE_ZONE_ID'] as const;
  const missing = needed.filter((name) => !outside[name]);
  if (missing.length > 0) throw new CliError(`TUNNEL_PROVIDER=cloudflare needs ${missing.join(', ')} too.`);
  const names = [...needed, 'CLOUDFLARE_BASE_URL'];
  const given = names.flatMap((name) => (outside[name] ? [[name, outside[name]]] : []));
  return { embedded: false, env: Object.fromEntries(given) };
}
