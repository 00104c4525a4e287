import type { ProxyInvitation } from '@talpa/contracts';
import { roleTexts } from '@talpa/contracts/role-texts';
import { formatTime, useLanguage } from '@talpa/panel-kit/core';
import type { Fact } from '@talpa/panel-kit/ui';
import { useMemberTexts } from './texts.ts';

/** Who invites, and what to. */
export function useInvitationFacts(invitation: ProxyInvitation): readonly Fact[] {
  const t = useMemberTexts();
  const language = useLanguage();
  const { ownerName, role, memberUntil, invitedUntil } = invitation;
  return [
    [t('invitations.from'), ownerName ?? t('shared.ownerUnknown')],
    [t('invitations.role'), roleTexts[role][language]],
    [t('until'), memberUntil ? formatTime(memberUntil, language) : t('until.never')],
    [t('invitedUntil'), formatTime(invitedUntil, language)],
  ];
}
