import { pages } from './pages.ts';

/** The tabs of a proxy's page, by their names in the address. */
export const proxyTabs = [
  'overview',
  'access',
  'domains',
  'members',
  'requests',
  'history',
  'settings',
] as const;
export type ProxyTab = (typeof proxyTabs)[number];

/** The address of a proxy's page, or of one of its tabs. */
export function proxyPath(proxyId: number, tab: ProxyTab = 'overview'): string {
  const path = pages.proxy.path.replace(':id', String(proxyId));
  return tab === 'overview' ? path : `${path}?tab=${tab}`;
}

/** The id of the line that shows a rule of access. */
export const ruleLineId = (number: number) => `access-rule-${number}`;

/** The address of that line. */
export const rulePath = (proxyId: number, number: number) =>
  `${proxyPath(proxyId, 'access')}#${ruleLineId(number)}`;
