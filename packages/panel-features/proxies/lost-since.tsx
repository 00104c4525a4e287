import { formatTime, useLanguage, useLasting } from '@talpa/panel-kit/core';
import { useProxyTexts } from './texts.ts';

/** For how long a connector has been gone, and the moment on hover. @param at null: not known */
export function LostSince({ at }: { readonly at: string | null }) {
  const t = useProxyTexts();
  const language = useLanguage();
  const lasting = useLasting();
  if (!at) return t('status.lost.unknown');
  return (
    <time dateTime={at} title={formatTime(at, language)}>
      {t('status.lost', { span: lasting(at) })}
    </time>
  );
}
