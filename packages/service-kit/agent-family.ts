import type { AgentFamily } from '@talpa/contracts';

/** The first that fits counts: Edge calls itself Chrome too, and Chrome Safari. */
const families: readonly (readonly [RegExp, AgentFamily])[] = [
  [/bot\b|crawl|spider|slurp|facebookexternalhit|monitor|uptime|preview/i, 'bot'],
  [
    /^(curl|wget|python|go-http|node|axios|okhttp|java|ruby|php|postman|httpie|powershell)|headless/i,
    'script',
  ],
  [/\bEdgA?\/|\bEdgiOS\//, 'edge'],
  [/\bFirefox\/|\bFxiOS\//, 'firefox'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'chrome'],
  [/\bSafari\//, 'safari'],
];
const longestRead = 400;

/** The family of a User-Agent header; a visitor may send anything there, and only the family is kept. */
export function agentFamilyOf(userAgent: string): AgentFamily {
  const read = userAgent.length > longestRead ? userAgent.slice(0, longestRead) : userAgent;
  return families.find(([pattern]) => pattern.test(read))?.[1] ?? 'other';
}
