import type { ProxyInvitation } from '@talpa/contracts';
import { roleTexts } from '@talpa/contracts/role-texts';
import { includesRole, memberRoles } from '@talpa/contracts/roles';
import { formatTime, useLanguage } from '@talpa/panel-kit/core';
import type { Fact } from '@talpa/panel-kit/ui';
import { useMemberTexts } from './texts.ts';

/** Who invites, and what to. */
export function useInvitationFacts(invitation: ProxyInvitation): readonly Fact[] {
  const t = useMemberTexts();
  const language = useLanguage();
  const { ownerName, role, memberUntil, invitedUntil } = invitation;
  const allowed = memberRoles.filter((one) => includesRole(role, one));
  return [
    [t('invitations.from'), ownerName ?? t('shared.ownerUnknown')],
    [t('invitations.role'), roleTexts[role][language]],
    // Whether its server runs others, too, is not for who is only invited.
    [
      t('invitations.allows'),
      allowed.map((one) => t(one === 'operate' ? 'role.operate.shared' : `role.${one}.text`)).join(' '),
    ],
    [t('until'), memberUntil ? formatTime(memberUntil, language) : t('until.never')],
    [t('invitedUntil'), formatTime(invitedUntil, language)],
  ];
}
