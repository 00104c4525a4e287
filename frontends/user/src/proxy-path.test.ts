import { notificationTexts } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { pages } from './pages.ts';
import { proxyTabs } from './proxy-path.ts';

it('notifications lead to tabs that the page of a proxy has', () => {
  const ofProxy = pages.proxy.path.replace(':id', '{proxyId}');
  const named = Object.values(notificationTexts)
    .filter(({ path }) => path.startsWith(`${ofProxy}?`))
    .map(({ path }) => new URLSearchParams(path.slice(ofProxy.length)).get('tab'));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((tab) => !proxyTabs.some((one) => one === tab))).toEqual([]);
});
