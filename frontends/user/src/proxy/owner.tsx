import type { ProxyConfig } from '@talpa/contracts';
import { useUser } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { useUserTexts } from '../texts/user-texts.ts';

/** Whose a proxy is, for an administrator who looks at another's. */
export function ProxyOwner({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useUserTexts();
  const me = useUser();
  if (!me.isAdmin || proxy.userId === me.id) return null;
  const name = proxy.ownerName ?? t('proxy.owner.unknown', { id: proxy.userId });
  return <Link to={`/admin/users/${proxy.userId}`}>{t('proxy.owner', { name })}</Link>;
}
