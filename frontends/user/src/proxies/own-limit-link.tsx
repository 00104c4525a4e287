import { useUser } from '@talpa/panel-kit/core';
import { LinkButton } from '@talpa/panel-kit/ui';
import { useUserTexts } from '../texts/user-texts.ts';

/** Leads administrators to their own account in the administration, where they set how many proxies they may have. */
export function OwnLimitLink() {
  const t = useUserTexts();
  return <LinkButton to={`/admin/users/${useUser().id}#edit`}>{t('proxies.setLimit')}</LinkButton>;
}
