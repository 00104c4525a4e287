import type { ErrorTexts } from './error-texts.ts';

/** Errors of members of proxies and their invitations. */
export const membersErrors = {
  role_missing: {
    status: 403,
    de: 'Dafür reicht Ihre Rolle bei diesem Proxy nicht aus. Bitten Sie dessen Besitzer um eine höhere.',
    en: 'Your role for this proxy doesn’t include this. Ask its owner for a higher one.',
  },
  member_limit_reached: {
    status: 409,
    de: 'Der Plan des Besitzers erlaubt höchstens {limit} Mitglieder pro Proxy, offene Einladungen mitgezählt.',
    en: 'The owner’s plan allows at most {limit} members per proxy, including open invitations.',
  },
  already_member: {
    status: 409,
    de: 'Diese Person ist bereits Mitglied oder eingeladen.',
    en: 'This person is already a member or has been invited.',
  },
  already_joined: {
    status: 409,
    de: 'Sie haben bereits Zugriff auf diesen Proxy. Die Einladung brauchen Sie nicht mehr.',
    en: 'You already have access to this proxy. You no longer need the invitation.',
  },
  member_not_found: {
    status: 404,
    de: 'Dieses Mitglied oder diese Einladung gibt es nicht mehr.',
    en: 'This member or invitation no longer exists.',
  },
  invitation_link_invalid: {
    status: 403,
    de: 'Dieser Einladungslink ist ungültig, abgelaufen oder wurde bereits verwendet. Lassen Sie sich einen neuen geben.',
    en: 'This invitation link is invalid, has expired, or has already been used. Ask for a new one.',
  },
} as const satisfies ErrorTexts;
