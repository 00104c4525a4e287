import type { InternalCalls, Verb } from '@talpa/contracts';
import type { StatsContext } from '../context.ts';
import { readOrigin } from './origin.ts';
import { readFigures } from './traffic.ts';
import { readUptime } from './uptime.ts';

/** What is kept of a proxy's connector and of the panel behind it. Who asks knows that the proxy is there. */
export const readHealth: Verb<InternalCalls['stats.readHealth'], StatsContext> = async (
  { sql, settings },
  { proxyId },
) => ({
  origin: await readOrigin(sql, proxyId),
  uptime: await readUptime(sql, proxyId, settings.TIME_ZONE),
});

/** A proxy's traffic by days. */
export const readTraffic: Verb<InternalCalls['stats.readTraffic'], StatsContext> = (
  { sql, settings },
  { proxyId },
) => readFigures(sql, proxyId, settings.TIME_ZONE);
