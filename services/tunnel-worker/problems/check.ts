import { tunnelProviders } from '@talpa/contracts';
import type { Lifecycle } from '@talpa/service-kit/process/lifecycle';
import { type Budget, BudgetExhausted } from '../budget/budget.ts';
import { createProvider, type Provider } from '../provider/client.ts';
import { ProviderError } from '../provider/errors.ts';
import type { WorkerSettings } from '../settings.ts';
import type { ProviderProblems } from './problems.ts';

const againEveryMs = 60_000;
/** How long a call waits for the budget in the background lane. */
const patienceMs = 30_000;

/** Reads account and zone once: what is wrong with them is stored by the calls. @returns what was wrong */
export async function checkProvider(provider: Provider, domain: string): Promise<Error[]> {
  const wrong: Error[] = [];
  for (const check of [provider.readAccount, provider.readRecords, () => provider.confirmZone(domain)])
    await check().catch((error) => {
      if (!(error instanceof ProviderError || error instanceof BudgetExhausted)) throw error;
      wrong.push(error);
    });
  return wrong;
}

/** Checks Cloudflare's account and zone at the start, and again each minute while something is wrong. */
export function startCheck(
  settings: WorkerSettings,
  budget: Budget,
  problems: ProviderProblems,
  { log, every }: Lifecycle,
): void {
  // What our own provider is called with is made by ourselves.
  if (!tunnelProviders[settings.TUNNEL_PROVIDER].account) return;
  let isRight = false;
  const check = async (signal: AbortSignal) => {
    if (isRight) return;
    const provider = createProvider(settings, {
      signal,
      problems,
      acquire: () => budget.acquire('background', patienceMs, signal),
      onRateLimited: (ms) => budget.pause(ms),
    });
    const wrong = await checkProvider(provider, settings.TUNNEL_DOMAIN).catch((error) => [error]);
    if (signal.aborted) return;
    isRight = wrong.length === 0;
    if (isRight) log.info('provider settings are right');
    else
      log.warn(
        { wrong: wrong.map(({ message }) => message) },
        'provider settings are wrong, checking them again in a minute: see docs/cloudflare.md',
      );
  };
  every(againEveryMs, check, { failed: 'provider settings could not be checked, retrying' });
}
