import type { AppliedTunnel } from '@talpa/contracts';
import type { Provider, ProxyRule } from '../provider/client.ts';
import { hasCode, isProviderError, ProviderError, providerCodes } from '../provider/errors.ts';
import type { ServerNames } from '../provider/names.ts';
import type { KnownTunnel } from './inventory.ts';

/** The tunnel a connector was set up for exists no more: making another is the owner's decision. */
export class TunnelGone extends Error {}

export interface EnsuredTunnel {
  readonly id: string;
  readonly isNew: boolean;
  /** @throws TunnelGone for a tunnel that had been reported as applied. */
  configure(proxies: readonly ProxyRule[]): Promise<void>;
}

/** The tunnel of this incarnation: the known one, or a new one, or the one a lost answer has made. */
export async function ensureTunnel(
  provider: Provider,
  names: ServerNames,
  known: readonly KnownTunnel[],
  applied: AppliedTunnel | null,
  incarnation: number,
): Promise<EnsuredTunnel> {
  const found =
    known.find((tunnel) => tunnel.incarnation === incarnation) ??
    (applied?.incarnation === incarnation ? await unlisted(provider, applied.tunnelId) : undefined);
  const id = found?.id ?? (await createOrAdopt(provider, names.tunnel(incarnation)));
  return {
    id,
    isNew: id !== applied?.tunnelId,
    configure: async (proxies) => {
      try {
        await provider.putConfiguration(id, proxies);
      } catch (error) {
        if (!isProviderError(error, 'missing')) throw error;
        if (id === applied?.tunnelId) throw new TunnelGone();
        throw new ProviderError('passing', 'the new tunnel is not there yet', { codes: error.codes });
      }
    },
  };
}

/** A tunnel that no list shows. @throws TunnelGone */
async function unlisted(provider: Provider, id: string): Promise<{ readonly id: string }> {
  if (await isTunnelGone(provider, id)) throw new TunnelGone();
  return { id };
}

/** A list may lag, and miss what moves between its pages: only the tunnel's own answer says that it is gone. */
export async function isTunnelGone(provider: Provider, id: string): Promise<boolean> {
  try {
    return (await provider.getTunnelStatus(id)) === null;
  } catch (error) {
    if (isProviderError(error, 'missing')) return true;
    throw error;
  }
}

/** Only this installation makes tunnels of this name: one that is there already is ours. */
async function createOrAdopt(provider: Provider, name: string): Promise<string> {
  try {
    return await provider.createTunnel(name);
  } catch (error) {
    if (!hasCode(error, providerCodes.tunnelNameTaken)) throw error;
    const found = await provider.findTunnels(name);
    const same = found.find((tunnel) => tunnel.name === name);
    if (same) return same.id;
    throw new ProviderError('passing', 'a tunnel of this name is said to exist but is not listed');
  }
}

/** Deletes a tunnel that is believed to have no connectors, in one call; one that has some all the same, too. */
export async function removeUnconnected(provider: Provider, id: string): Promise<void> {
  try {
    await provider.deleteTunnel(id);
  } catch (error) {
    if (hasCode(error, providerCodes.tunnelConnected)) await removeTunnel(provider, id);
    else if (!isProviderError(error, 'missing')) throw error;
  }
}

/**
 * Cuts a tunnel's connectors off and deletes it; one that is gone already is as good. They come back at once, and a
 * connected tunnel is not deleted: first their token is made worthless.
 */
export async function removeTunnel(provider: Provider, id: string): Promise<void> {
  try {
    await provider.rotateSecret(id);
    await provider.dropConnections(id);
    await provider.deleteTunnel(id);
  } catch (error) {
    if (!isProviderError(error, 'missing')) throw error;
  }
}
