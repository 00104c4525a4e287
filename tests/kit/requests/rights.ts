import type { Access, Entry, ProxyRole, RouteName, Scope } from '@talpa/contracts';

/**
 * Who may make a call; of a call about a proxy or a server, the least that somebody must be to it. `role.*.text` in the panel's texts of
 * members says the same to people.
 */
type Who = 'anybody' | 'user' | 'administrator' | ProxyRole;

type Mark =
  /** Only within ten minutes after a sign-in or a step-up; `at times`: as the verb decides. */
  | 'step-up'
  | 'step-up at times'
  /** Open to users who still have to set up a required second factor. */
  | 'without factor'
  | 'closed to suspended users'
  /** That, and at a suspended proxy to all but administrators; also to members where its owner is suspended. */
  | 'closed by suspensions';

/** Who, what an API key needs (null: no key may make the call), and what else decides. */
type Right = readonly [who: Who, scope: Scope | null, ...marks: Mark[]];

/**
 * The rights to all calls, by hand: the contract and the services are compared with this table, so nothing here may be
 * derived from them. Anyone who changes a line has decided that these people may do that.
 */
export const rights = {
  'GET /api/user': ['user', 'account:read', 'without factor'],
  'POST /api/login': ['anybody', null],
  'POST /api/register': ['anybody', null],
  'POST /api/password-reset': ['anybody', null],
  'POST /api/password-reset-request': ['anybody', null],
  'POST /api/intrusion-report': ['anybody', null],
  'POST /api/email-verification': ['anybody', null],
  'POST /api/unsubscription': ['anybody', null],
  'POST /api/logout': ['anybody', null],
  'GET /api/user/preferences': ['user', 'account:read', 'without factor'],
  'POST /api/user/preferences': ['user', null, 'step-up at times'],
  'GET /api/user/email': ['user', 'account:read'],
  'POST /api/user/email-verification': ['user', null],
  'GET /api/user/sessions': ['user', null],
  'DELETE /api/user/sessions': ['user', null],
  'DELETE /api/user/sessions/:id': ['user', null],
  'POST /api/user/password': ['user', null, 'step-up at times'],
  'GET /api/user/export': ['user', null, 'step-up'],
  'POST /api/user/deletion': ['user', null, 'step-up at times'],
  'POST /api/login/second-factor': ['anybody', null],
  'POST /api/user/step-up': ['user', null, 'without factor'],
  'GET /api/user/second-factor': ['user', null, 'without factor'],
  'POST /api/user/authenticator': ['user', null, 'step-up', 'without factor'],
  'POST /api/user/authenticator/confirmation': ['user', null, 'without factor'],
  'POST /api/user/authenticator/removal': ['user', null],
  'GET /api/admin/users/:id/second-factor': ['administrator', null],
  'DELETE /api/admin/users/:id/second-factor': ['administrator', null, 'step-up'],
  'POST /api/user/recovery-codes': ['user', null],
  'POST /api/login/passkey/challenge': ['anybody', null],
  'POST /api/login/passkey': ['anybody', null],
  'POST /api/user/step-up/challenge': ['user', null, 'without factor'],
  'GET /api/user/passkeys': ['user', null, 'without factor'],
  'POST /api/user/passkeys/challenge': ['user', null, 'step-up', 'without factor'],
  'POST /api/user/passkeys': ['user', null, 'step-up', 'without factor'],
  'PUT /api/user/passkeys/:id': ['user', null],
  'DELETE /api/user/passkeys/:id': ['user', null, 'step-up'],
  'GET /api/user/api-keys': ['user', null],
  'POST /api/user/api-keys': ['user', null, 'step-up'],
  'DELETE /api/user/api-keys/:id': ['user', null, 'step-up'],
  'GET /api/admin/users/:id/api-keys': ['administrator', null],
  'GET /api/sign-in-providers': ['anybody', null],
  'POST /api/login/provider/request': ['anybody', null],
  'POST /api/login/provider': ['anybody', null],
  'POST /api/register/provider': ['anybody', null],
  'GET /api/user/identities': ['user', null],
  'POST /api/user/identities/request': ['user', null, 'step-up'],
  'POST /api/user/identities': ['user', null, 'step-up'],
  'DELETE /api/user/identities/:id': ['user', null, 'step-up'],
  'GET /api/admin/users/:id/identities': ['administrator', null],
  'GET /api/tunnel-configs': ['user', 'proxies:read'],
  'GET /api/enrolment-keys': ['user', null],
  'POST /api/enrolment-keys': ['user', null, 'closed to suspended users'],
  'DELETE /api/enrolment-keys/:id': ['user', null],
  'POST /api/enrol': ['anybody', null],
  'POST /api/tunnel-configs': ['user', 'proxies:write', 'closed to suspended users'],
  'GET /api/subdomain-availability': ['user', 'proxies:read', 'closed by suspensions'],
  'GET /api/tunnel-configs/:id': ['view', 'proxies:read'],
  'GET /api/tunnel-configs/:id/health': ['view', 'proxies:read'],
  'GET /api/tunnel-configs/:id/traffic': ['view', 'proxies:read'],
  'GET /api/tunnel-configs/:id/events': ['view', 'proxies:read'],
  'PUT /api/tunnel-configs/:id': ['manage', 'proxies:write', 'closed by suspensions'],
  'DELETE /api/tunnel-configs/:id': ['owner', 'proxies:write'],
  'GET /api/tunnel-configs/:id/tunnel-token': ['operate', 'tunnel-token:read', 'closed by suspensions'],
  'GET /api/tunnel-status/:id': ['view', 'proxies:read'],
  'POST /api/recreate-tunnel/:id': ['operate', 'proxies:write', 'closed by suspensions'],
  'PUT /api/tunnel-configs/:id/server': ['owner', 'proxies:write', 'closed by suspensions'],
  'GET /api/servers': ['user', 'proxies:read'],
  'POST /api/servers': ['user', 'proxies:write', 'closed to suspended users'],
  'GET /api/servers/:id': ['view', 'proxies:read'],
  'PUT /api/servers/:id': ['owner', 'proxies:write', 'closed by suspensions'],
  'DELETE /api/servers/:id': ['owner', 'proxies:write'],
  'GET /api/servers/:id/health': ['view', 'proxies:read'],
  'GET /api/servers/:id/events': ['view', 'proxies:read'],
  'GET /api/servers/:id/tunnel-token': ['operate', 'tunnel-token:read', 'closed by suspensions'],
  'POST /api/servers/:id/recreate': ['operate', 'proxies:write', 'closed by suspensions'],
  'GET /api/tunnel-configs/:id/access': ['view', 'proxies:read'],
  'PUT /api/tunnel-configs/:id/access': ['manage', 'proxies:write', 'closed by suspensions'],
  'GET /api/tunnel-configs/:id/access/verdict': ['manage', 'proxies:read'],
  'GET /api/tunnel-configs/:id/visits': ['manage', 'proxies:read'],
  'DELETE /api/tunnel-configs/:id/visits/:visitId': ['manage', 'proxies:write'],
  'DELETE /api/tunnel-configs/:id/visits': ['manage', 'proxies:write'],
  'GET /api/tunnel-configs/:id/service-tokens': ['manage', 'proxies:read'],
  'POST /api/tunnel-configs/:id/service-tokens': ['manage', null, 'closed by suspensions'],
  'DELETE /api/tunnel-configs/:id/service-tokens/:tokenId': ['manage', 'proxies:write'],
  'GET /api/walls/:host': ['user', null, 'closed to suspended users'],
  'POST /api/access-codes': ['user', null, 'closed to suspended users'],
  'GET /api/tunnel-configs/:id/domains': ['view', 'proxies:read'],
  'POST /api/tunnel-configs/:id/domains': ['manage', 'proxies:write', 'closed by suspensions'],
  'POST /api/tunnel-configs/:id/domains/:domainId/check': [
    'operate',
    'proxies:write',
    'closed by suspensions',
  ],
  'DELETE /api/tunnel-configs/:id/domains/:domainId': ['manage', 'proxies:write'],
  'GET /api/tunnel-configs/:id/ports': ['view', 'proxies:read'],
  'POST /api/tunnel-configs/:id/ports': ['manage', 'proxies:write', 'closed by suspensions'],
  'PUT /api/tunnel-configs/:id/ports/:portId': ['manage', 'proxies:write', 'closed by suspensions'],
  'DELETE /api/tunnel-configs/:id/ports/:portId': ['manage', 'proxies:write'],
  'GET /api/tunnel-configs/:id/members': ['view', 'proxies:read'],
  'POST /api/tunnel-configs/:id/members': ['manage', null, 'closed by suspensions'],
  'PUT /api/tunnel-configs/:id/members/:memberId': ['manage', null, 'closed by suspensions'],
  'DELETE /api/tunnel-configs/:id/members/:memberId': ['manage', null],
  'POST /api/tunnel-configs/:id/leave': ['view', null],
  'GET /api/shared-proxies': ['user', 'proxies:read'],
  'GET /api/proxy-invitations': ['user', null],
  'POST /api/proxy-invitations/:id/acceptance': ['user', null, 'closed to suspended users'],
  'DELETE /api/proxy-invitations/:id': ['user', null],
  'POST /api/proxy-invitation-link': ['anybody', null],
  'POST /api/proxy-invitation-link/refusal': ['anybody', null],
  'POST /api/proxy-invitation-link/acceptance': ['user', null, 'closed to suspended users'],
  'GET /api/tunnel-configs/:id/request-log': ['manage', 'proxies:read'],
  'PUT /api/tunnel-configs/:id/request-log': ['manage', 'proxies:write', 'closed by suspensions'],
  'GET /api/tunnel-configs/:id/requests': ['manage', 'proxies:read'],
  'GET /api/tunnel-configs/:id/requests.csv': ['manage', 'proxies:read'],
  'GET /api/user/subscription': ['user', 'account:read'],
  'POST /api/user/subscription': ['user', null, 'closed to suspended users'],
  'GET /api/user/subscription/can-create-proxy': ['user', 'proxies:read'],
  'GET /api/system/stats': ['user', 'account:read'],
  'GET /api/events': ['user', null, 'without factor'],
  'GET /api/admin/users': ['administrator', 'admin:users'],
  'POST /api/admin/users': ['administrator', 'admin:users', 'step-up at times'],
  'GET /api/admin/users/:id': ['administrator', 'admin:users'],
  'GET /api/admin/users/:id/email': ['administrator', 'admin:users'],
  'PUT /api/admin/users/:id': ['administrator', 'admin:users', 'step-up at times'],
  'DELETE /api/admin/users/:id': ['administrator', 'admin:users', 'step-up at times'],
  'DELETE /api/admin/users/:id/sessions': ['administrator', null, 'step-up at times'],
  'POST /api/admin/users/:id/reset-link': ['administrator', null, 'step-up at times'],
  'POST /api/admin/users/:id/suspension': ['administrator', 'admin:users', 'step-up at times'],
  'DELETE /api/admin/users/:id/suspension': ['administrator', 'admin:users', 'step-up at times'],
  'POST /api/admin/tunnel-configs/:id/suspension': ['administrator', 'admin:proxies'],
  'DELETE /api/admin/tunnel-configs/:id/suspension': ['administrator', 'admin:proxies'],
  'GET /api/admin/tunnel-configs': ['administrator', 'admin:proxies'],
  'GET /api/admin/system': ['administrator', 'admin:system'],
  'GET /api/admin/system/doctor': ['administrator', 'admin:system'],
  'GET /api/admin/dead-letters': ['administrator', 'admin:system'],
  'GET /api/admin/storage': ['administrator', 'admin:system'],
  'GET /api/admin/provider-problems': ['administrator', 'admin:system'],
  'GET /api/admin/certificates': ['administrator', 'admin:system'],
  'POST /api/admin/certificates/order': ['administrator', null],
  'GET /api/admin/invitations': ['administrator', 'admin:invitations'],
  'POST /api/admin/invitations': ['administrator', 'admin:invitations'],
  'GET /api/admin/invitations/:id/users': ['administrator', 'admin:invitations'],
  'DELETE /api/admin/invitations/:id': ['administrator', 'admin:invitations'],
  'GET /api/admin/audit': ['administrator', 'admin:audit'],
  'GET /api/user/audit': ['user', null],
  'GET /api/admin/mails': ['administrator', 'admin:mails'],
  'GET /api/admin/mails/:id': ['administrator', null],
  'POST /api/admin/mails/:id/reading': ['administrator', null, 'step-up'],
  'POST /api/admin/mails/:id/sending': ['administrator', 'admin:mails'],
  'POST /api/admin/test-mail': ['administrator', null],
  'GET /api/admin/mail-setup': ['administrator', 'admin:mails'],
  'GET /api/user/notifications': ['user', null],
  'GET /api/user/notifications/unread-count': ['user', null],
  'GET /api/user/notifications/channels': ['user', null],
  'POST /api/user/notifications/read': ['user', null],
  'GET /api/user/channels': ['user', null],
  'POST /api/user/channels': ['user', null, 'closed to suspended users'],
  'PUT /api/user/channels/:id': ['user', null, 'closed to suspended users'],
  'DELETE /api/user/channels/:id': ['user', null],
  'POST /api/user/channels/:id/test': ['user', null, 'closed to suspended users'],
  'POST /api/user/channels/:id/secret': ['user', null],
  'GET /api/user/channels/:id/deliveries': ['user', null],
  'GET /api/user/deliveries/:id': ['user', null],
  'POST /api/user/deliveries/:id/sending': ['user', null, 'closed to suspended users'],
  'GET /api/admin/channels': ['administrator', null],
  'POST /api/admin/channels': ['administrator', null, 'step-up'],
  'PUT /api/admin/channels/:id': ['administrator', null, 'step-up'],
  'DELETE /api/admin/channels/:id': ['administrator', null],
  'POST /api/admin/channels/:id/test': ['administrator', null],
  'POST /api/admin/channels/:id/secret': ['administrator', null, 'step-up'],
  'GET /api/admin/channels/:id/deliveries': ['administrator', null],
  'GET /api/admin/deliveries/:id': ['administrator', null],
  'POST /api/admin/deliveries/:id/sending': ['administrator', null],
  'GET /api/user/notifications/announcements': ['user', null],
  'GET /api/admin/announcements': ['administrator', 'admin:announcements'],
  'GET /api/admin/announcements/:id': ['administrator', 'admin:announcements'],
  'POST /api/admin/announcements': ['administrator', 'admin:announcements'],
  'PUT /api/admin/announcements/:id': ['administrator', 'admin:announcements'],
  'POST /api/admin/announcements/:id/end': ['administrator', 'admin:announcements'],
} as const satisfies Readonly<Record<RouteName, Right>>;

/** A line of the table, taken apart. */
export function rightTo(route: RouteName) {
  const [who, scope, ...marks]: Right = rights[route];
  const isClosedAtProxies = marks.includes('closed by suspensions');
  return {
    access: accessOf(who),
    /** Of a call about a proxy or a server. */
    role: who === 'anybody' || who === 'user' || who === 'administrator' ? null : who,
    scope,
    isClosedToSuspended: isClosedAtProxies || marks.includes('closed to suspended users'),
    isClosedAtProxies,
  };
}

function accessOf(who: Who): Access {
  if (who === 'administrator') return 'admin';
  return who === 'anybody' ? 'public' : 'user';
}

/** What the contract says of a call, as a line of the table. */
export function rightIn(entry: Entry): Right {
  const { access, role = 'user', scope, stepUp, withoutFactor, errors } = entry;
  const who = { public: 'anybody', user: role, admin: 'administrator' } as const;
  const marks: readonly (Mark | false)[] = [
    stepUp !== undefined && (stepUp === true ? 'step-up' : 'step-up at times'),
    withoutFactor === true && 'without factor',
    errors.includes('account_suspended') &&
      (errors.includes('proxy_suspended') ? 'closed by suspensions' : 'closed to suspended users'),
  ];
  return [who[access], scope, ...marks.filter((mark) => mark !== false)];
}
