import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { useUser } from '@talpa/panel-kit/core';
import { LiftSuspensionDialog, SuspendDialog } from '@talpa/panel-kit/proxies';
import { Link } from '@talpa/panel-kit/router';
import { Button } from '@talpa/panel-kit/ui';
import { Ban, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useUserTexts } from '../texts/user-texts.ts';

interface Props {
  readonly proxy: ProxyConfig;
}

/** Whose a proxy is, for an administrator who looks at another's. */
export function ProxyOwner({ proxy }: Props) {
  const t = useUserTexts();
  const me = useUser();
  if (!me.isAdmin || proxy.userId === me.id) return null;
  const name = proxy.ownerName ?? t('proxy.owner.unknown', { id: proxy.userId });
  return <Link to={`/admin/users/${proxy.userId}`}>{t('proxy.owner', { name })}</Link>;
}

/** Suspends a proxy or lifts its suspension; for administrators. An owner's suspension is lifted on his page. */
export function SuspensionButton({ proxy }: Props) {
  const t = useUserTexts();
  const me = useUser();
  const [asked, setAsked] = useState<'suspend' | 'lift' | null>(null);
  if (!me.isAdmin || proxy.suspension?.of === 'user') return null;
  const isSuspended = proxy.suspension !== null;
  const close = () => setAsked(null);
  return (
    <>
      <Button
        icon={isSuspended ? <ShieldCheck size={15} aria-hidden /> : <Ban size={15} aria-hidden />}
        onClick={() => setAsked(isSuspended ? 'lift' : 'suspend')}
      >
        {t(isSuspended ? 'proxy.lift' : 'proxy.suspend')}
      </Button>
      <SuspendDialog proxy={asked === 'suspend' ? proxy : null} onClose={close} />
      <LiftSuspensionDialog proxy={asked === 'lift' ? proxy : null} onClose={close} />
    </>
  );
}
