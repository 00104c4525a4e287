import type { ProxyConfig } from '@talpa/contracts';
import { useUser } from '@talpa/panel-kit/core';
import { Link } from '@talpa/panel-kit/router';
import { useUserTexts } from '../texts/user-texts.ts';

/** Whose a proxy is, for members and for an administrator who looks at another's. */
export function ProxyOwner({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useUserTexts();
  const me = useUser();
  if (proxy.userId === me.id) return null;
  const name = proxy.ownerName ?? t('proxy.owner.unknown', { id: proxy.userId });
  if (!me.isAdmin) return <span>{t('proxy.owner', { name })}</span>;
  return <Link to={`/admin/users/${proxy.userId}`}>{t('proxy.owner', { name })}</Link>;
}
