import type { ProxyConfig } from '@talpa/contracts';
import { proxyKey, sharedProxiesQuery, useToast, useUser, wasDeleted } from '@talpa/panel-kit/core';
import { Navigate } from '@talpa/panel-kit/router';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { pages } from '../pages.ts';
import { useUserTexts } from '../texts/user-texts.ts';

/** A message comes so much later than what it is about, at most. */
const messageMs = 2_000;
/** The proxies whose membership the user is ending here: what ends by their own wish is no news. */
const leaving = new Set<number>();

/** What a button that ends the user's own membership of a proxy says when it begins, fails and succeeds. */
export function useLeaving(proxyId: number) {
  const client = useQueryClient();
  const stay = () => void leaving.delete(proxyId);
  useEffect(() => stay, []);
  return { begin: () => void leaving.add(proxyId), stay, left: () => forget(client, proxyId) };
}

/** Whether a proxy that cannot be fetched any more was shared with the user, who has lost it by no wish of theirs. */
export const hasEnded = ({ id, membership }: ProxyConfig): boolean =>
  membership !== null && !wasDeleted(id) && !leaving.has(id);

/** Forgets a proxy that is not shared with the user any more. */
function forget(client: QueryClient, proxyId: number): void {
  client.setQueryData(sharedProxiesQuery.queryKey, (list) => list?.filter(({ id }) => id !== proxyId));
}

/** Leaves the page of a proxy that the user may not see any more, and says so. */
export function AccessEnded({ proxy }: { readonly proxy: ProxyConfig }) {
  const client = useQueryClient();
  const say = useSay();
  useEffect(() => {
    forget(client, proxy.id);
    say(proxy);
    // Once nothing shows it: no other page may find it as it was.
    return () => client.removeQueries({ queryKey: proxyKey(proxy.id) });
  }, []);
  return <Navigate to={pages.proxies.path} replace />;
}

/** Says which of the proxies that are shared with the user no longer are. Administrators still reach them. */
export function useEnded(proxies: readonly ProxyConfig[] | undefined): void {
  const say = useSay();
  const { isAdmin } = useUser();
  const before = useRef(proxies);
  useEffect(() => {
    if (!proxies) return;
    const gone = before.current?.filter((one) => !proxies.some(({ id }) => id === one.id)) ?? [];
    before.current = proxies;
    if (isAdmin) return;
    // The list may know of a deletion before its message is here.
    const sayIfEnded = (proxy: ProxyConfig) => void (hasEnded(proxy) && say(proxy));
    for (const proxy of gone.filter(hasEnded)) setTimeout(() => sayIfEnded(proxy), messageMs);
  }, [proxies]);
}

function useSay(): (proxy: ProxyConfig) => void {
  const t = useUserTexts();
  const toast = useToast();
  return ({ serverName: name }) =>
    toast({ title: t('proxy.ended'), text: t('proxy.ended.text', { name }), tone: 'info' });
}

/** The longest a browser's timer can be set to, in ms. */
const longestMs = 2 ** 31 - 1;

/** When a shared proxy is to be fetched again because its membership ends then, in ms; false: it has no end, or none soon. */
export function untilEnd(proxy: ProxyConfig | undefined): number | false {
  if (!proxy?.membership?.until) return false;
  const rest = new Date(proxy.membership.until).getTime() - Date.now();
  return rest < longestMs && Math.max(1_000, rest);
}
