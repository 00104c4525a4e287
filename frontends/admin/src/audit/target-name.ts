import type { AuditTarget } from '@talpa/contracts';
import { adminUserQuery, proxyQuery } from '@talpa/panel-kit/core';
import { useQuery } from '@tanstack/react-query';
import { useAuditPageTexts } from './texts.ts';

/** The one target that the trail is filtered by: its name, or its number where it has none any more. */
export function useOneTargetText(kind?: AuditTarget['kind'], id = ''): string {
  const t = useAuditPageTexts();
  const ofUser = kind === 'user' || kind === 'subscription';
  const user = useQuery({ ...adminUserQuery(Number(id)), enabled: ofUser });
  const proxy = useQuery({ ...proxyQuery(Number(id)), enabled: kind === 'proxy' });
  if (!kind) return '';
  const name = ofUser ? user.data?.username : proxy.data?.serverName;
  const target = t(`target.${kind}`);
  return name ? t('filter.namedTarget', { kind: target, name }) : t('filter.oneTarget', { kind: target, id });
}
