import type { Mail, MailKind } from '@talpa/contracts';
import { notificationSamples } from './notifications.ts';

/** What is asked for when such an email is sent. */
export const askedValues = { host: 'nordstadt.tunnel.example.org', code: '493817' };

/** An email of each kind, as it is ordered. */
export const mailSamples: { readonly [K in MailKind]: Extract<Mail, { kind: K }> } = {
  test: { kind: 'test', params: {} },
  verify_email: { kind: 'verify_email', params: {} },
  proxy_invitation_link: {
    kind: 'proxy_invitation_link',
    params: { memberId: 1, proxy: 'Nordstadt Roleplay', inviter: 'anna', language: 'de' },
  },
  access_code: { kind: 'access_code', params: {} },
  reset_password: { kind: 'reset_password', params: {} },
  password_changed: { kind: 'password_changed', params: { changedAt: '2026-12-05T06:26:00.000Z' } },
  email_changed: { kind: 'email_changed', params: { changedAt: '2026-12-05T06:26:00.000Z' } },
  new_device: {
    kind: 'new_device',
    params: { signedInAt: '2026-12-05T06:26:00.000Z', device: 'Firefox, Linux', ipAddress: '192.0.2.17' },
  },
  notifications: {
    kind: 'notifications',
    params: { notifications: [notificationSamples.connectors_lost, notificationSamples.plan_ending] },
  },
  factor_started: { kind: 'factor_started', params: { startedAt: '2026-12-05T06:26:00.000Z' } },
  factor_replaced: { kind: 'factor_replaced', params: { changedAt: '2026-12-05T06:26:00.000Z' } },
  factor_added: { kind: 'factor_added', params: { changedAt: '2026-12-05T06:26:00.000Z' } },
  factor_removed: { kind: 'factor_removed', params: { changedAt: '2026-12-05T06:26:00.000Z' } },
  passkey_added: {
    kind: 'passkey_added',
    params: { changedAt: '2026-12-05T06:26:00.000Z', passkey: 'Telefon' },
  },
  api_key_created: {
    kind: 'api_key_created',
    params: { changedAt: '2026-12-05T06:26:00.000Z', apiKey: 'Server-Skript' },
  },
  passkey_removed: {
    kind: 'passkey_removed',
    params: { changedAt: '2026-12-05T06:26:00.000Z', passkey: 'Telefon' },
  },
  factor_reset: { kind: 'factor_reset', params: { changedAt: '2026-12-05T06:26:00.000Z' } },
  identity_linked: {
    kind: 'identity_linked',
    params: { changedAt: '2026-12-05T06:26:00.000Z', provider: 'Discord' },
  },
  identity_unlinked: {
    kind: 'identity_unlinked',
    params: { changedAt: '2026-12-05T06:26:00.000Z', provider: 'Discord' },
  },
  recovery_codes_replaced: {
    kind: 'recovery_codes_replaced',
    params: { changedAt: '2026-12-05T06:26:00.000Z' },
  },
  recovery_code_used: { kind: 'recovery_code_used', params: { usedAt: '2026-12-05T06:26:00.000Z', left: 9 } },
  wrong_codes: { kind: 'wrong_codes', params: { guessedAt: '2026-12-05T06:26:00.000Z' } },
};
