import type { NotificationContent, NotificationKind } from '@talpa/contracts';

const proxy = { proxyId: 1, proxy: 'Vice City Streetrace & Drift Community Deutschland' };
const domain = { ...proxy, domain: 'panel.streetrace-drift.example' };
const reason = 'Über diese Adresse wurden Phishing-Seiten verbreitet.';
const endsAt = '2026-12-05T06:26:00.000Z';

/** A notification of each kind. */
export const notificationSamples: {
  readonly [K in NotificationKind]: Extract<NotificationContent, { kind: K }>;
} = {
  proxy_suspended: { kind: 'proxy_suspended', params: { ...proxy, reason } },
  proxy_resumed: { kind: 'proxy_resumed', params: proxy },
  proxy_error: { kind: 'proxy_error', params: { ...proxy, statusReason: 'zone_full' } },
  proxy_recovered: { kind: 'proxy_recovered', params: proxy },
  connector_lost: { kind: 'connector_lost', params: { ...proxy, lostAt: endsAt } },
  connectors_lost: {
    kind: 'connectors_lost',
    params: { names: ['Los Santos Life RP', proxy.proxy, 'Küstenwache 24/7'], lostAt: endsAt },
  },
  connector_back: { kind: 'connector_back', params: { ...proxy, awaySeconds: 7_512 } },
  connectors_back: { kind: 'connectors_back', params: { names: ['Los Santos Life RP', proxy.proxy] } },
  origin_lost: { kind: 'origin_lost', params: { ...proxy, lostAt: endsAt } },
  origin_back: { kind: 'origin_back', params: { ...proxy, awaySeconds: 7_512 } },
  domain_verified: { kind: 'domain_verified', params: domain },
  domain_failing: { kind: 'domain_failing', params: { ...domain, endsAt } },
  domain_lost: { kind: 'domain_lost', params: domain },
  domain_unverified: { kind: 'domain_unverified', params: domain },
  proxy_invitation: {
    kind: 'proxy_invitation',
    params: { ...proxy, role: 'operate', invitedUntilAt: endsAt },
  },
  member_joined: { kind: 'member_joined', params: { ...proxy, member: 'jan', role: 'manage' } },
  invitation_declined: {
    kind: 'invitation_declined',
    params: { ...proxy, invited: 'jan.petersen@streetrace-drift.example', role: 'manage' },
  },
  member_left: { kind: 'member_left', params: { ...proxy, member: 'jan' } },
  membership_ended: { kind: 'membership_ended', params: proxy },
  connectors_lost_at_once: { kind: 'connectors_lost_at_once', params: { count: 42 } },
  provider_fault: { kind: 'provider_fault', params: { fault: 'token_refused' } },
  provider_recovered: { kind: 'provider_recovered', params: {} },
  limit_reached: { kind: 'limit_reached', params: { limit: 10 } },
  account_suspended: { kind: 'account_suspended', params: { reason } },
  account_resumed: { kind: 'account_resumed', params: {} },
  plan_changed: { kind: 'plan_changed', params: { from: null, plan: 'premium' } },
  plan_removed: { kind: 'plan_removed', params: { plan: 'premium' } },
  plan_renewed: { kind: 'plan_renewed', params: { plan: 'premium', endsAt } },
  plan_ending: { kind: 'plan_ending', params: { plan: 'premium', endsAt } },
  plan_ended: { kind: 'plan_ended', params: { plan: 'premium' } },
  announcement: {
    kind: 'announcement',
    params: {
      ...{ announcementId: 1, level: 'warning', startsAt: endsAt, endsAt },
      title: { de: 'Wartung am Samstag', en: 'Maintenance on Saturday' },
      text: {
        de: 'Am Samstag zwischen 6 und 8 Uhr werden die Tunnel-Server aktualisiert. Verbindungen können kurz abbrechen.',
        en: 'The tunnel servers are updated on Saturday between 6 and 8 AM. Connections may drop for a moment.',
      },
    },
  },
  email_undeliverable: { kind: 'email_undeliverable', params: {} },
  factor_started: { kind: 'factor_started', params: { startedAt: endsAt } },
  factor_replaced: { kind: 'factor_replaced', params: { changedAt: endsAt } },
  factor_added: { kind: 'factor_added', params: { changedAt: endsAt } },
  factor_removed: { kind: 'factor_removed', params: { changedAt: endsAt } },
  passkey_added: { kind: 'passkey_added', params: { changedAt: endsAt, passkey: 'Telefon' } },
  api_key_created: { kind: 'api_key_created', params: { changedAt: endsAt, apiKey: 'Server-Skript' } },
  identity_linked: { kind: 'identity_linked', params: { changedAt: endsAt, provider: 'Discord' } },
  identity_unlinked: { kind: 'identity_unlinked', params: { changedAt: endsAt, provider: 'Discord' } },
  passkey_removed: { kind: 'passkey_removed', params: { changedAt: endsAt, passkey: 'Telefon' } },
  factor_reset: { kind: 'factor_reset', params: { changedAt: endsAt } },
  recovery_codes_replaced: { kind: 'recovery_codes_replaced', params: { changedAt: endsAt } },
  recovery_code_used: { kind: 'recovery_code_used', params: { usedAt: endsAt, left: 9 } },
  wrong_codes: { kind: 'wrong_codes', params: { guessedAt: endsAt } },
  channel_gone: { kind: 'channel_gone', params: { channel: 'Discord der Küstenwache' } },
  channel_failing: { kind: 'channel_failing', params: { channel: 'Discord der Küstenwache' } },
  installation_channel_gone: { kind: 'installation_channel_gone', params: { channel: 'Statusseite' } },
  installation_channel_failing: { kind: 'installation_channel_failing', params: { channel: 'Statusseite' } },
  password_changed: { kind: 'password_changed', params: { changedAt: endsAt } },
  email_changed: { kind: 'email_changed', params: { changedAt: endsAt } },
  new_device: {
    kind: 'new_device',
    params: { signedInAt: endsAt, device: 'Firefox, Linux', ipAddress: '2001:db8:85a3::8a2e:370:7334' },
  },
};
