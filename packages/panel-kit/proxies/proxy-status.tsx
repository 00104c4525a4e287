import type { Proxy as ProxyConfig } from '@talpa/contracts';
import { Tag, Tooltip } from '../ui.ts';
import { useProxyTexts } from './texts.ts';

const colors = { active: 'success', inactive: 'default', pending: 'processing', error: 'error' } as const;

/** A proxy's status as a word, with the reason where there is one. */
export function ProxyStatus({ proxy }: { readonly proxy: ProxyConfig }) {
  const t = useProxyTexts();
  const label = proxy.changePending ? t('status.changePending') : t(`status.${proxy.status}`);
  const tag = <Tag color={proxy.changePending ? 'processing' : colors[proxy.status]}>{label}</Tag>;
  if (!proxy.statusReason) return tag;
  return (
    <Tooltip title={t(`reason.${proxy.statusReason}`)}>
      {/* Reached by the keyboard, so that the reason is too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <span tabIndex={0}>{tag}</span>
    </Tooltip>
  );
}
