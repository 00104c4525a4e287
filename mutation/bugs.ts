// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of sources

/** A bug as somebody could really write it: it compiles, and shows only beyond the main path. */
export interface Bug {
  readonly id: string;
  /** What goes wrong with it. */
  readonly title: string;
  readonly file: string;
  /** Stands in the file once. */
  readonly find: string;
  readonly replace: string;
  /** The test files that should notice it; left out: all that a change of the file can break. */
  readonly tests?: readonly string[];
}

/** `npm run mutate -- --bugs` puts in one at a time. They were chosen by reading the product alone, before any test was. */
export const bugs: readonly Bug[] = [
  {
    id: 'cached-read-limit',
    title:
      'cached reads count for a session instead of its user, so that each further session may make as many',
    file: 'gateway/api/fast-path.ts',
    find: 'limits.allows(`user ${claim.userId}`)',
    replace: 'limits.allows(`session ${claim.sessionId}`)',
    tests: ['gateway/api/fast-path.test.ts', 'tests/gateway/cache.test.ts', 'tests/gateway/limits.test.ts'],
  },
  {
    id: 'demoted-stream',
    title: 'an open stream goes on with what concerns all users when its reader is no administrator any more',
    file: 'gateway/live/sessions.ts',
    find: "stream.sight = actor ? sightOf(actor) : 'account';",
    replace: "if (stream.sight !== 'all') stream.sight = actor ? sightOf(actor) : 'account';",
    tests: ['tests/gateway/live.test.ts', 'tests/system/live.test.ts'],
  },
  {
    id: 'renewed-hash',
    title: 'the first sign-in with a code after the cost of hashes was raised ends with “challenge_ended”',
    file: 'services/auth/sign-ins/login.ts',
    find: 'where user_id = ${user.id} and password_hash = ${user.passwordHash}`',
    replace: 'where user_id = ${user.id} and password_hash = ${renewed}`',
    tests: [
      'services/auth/second-factors/second-factors.integration.test.ts',
      'services/auth/accounts/accounts.integration.test.ts',
    ],
  },
  {
    id: 'stale-link',
    title: 'an email that waited for weeks still gets a valid link: seconds are taken for milliseconds',
    file: 'services/auth/one-time-tokens/sql.ts',
    find: "${onItsWayMs} * interval '1 millisecond'",
    replace: "${onItsWayMs} * interval '1 second'",
    tests: [
      'services/auth/emails/delivery.integration.test.ts',
      'services/auth/accounts/recovery.integration.test.ts',
      'services/auth/emails/verification.integration.test.ts',
    ],
  },
  {
    id: 'late-member-limit',
    title:
      'who has just changed to a larger plan may be refused another member: the plan is not asked for again',
    file: 'services/proxies/users/fresh.ts',
    find: 'member_limit_reached: refreshSubscription,',
    replace: '',
    tests: ['services/proxies/users/limits.integration.test.ts', 'tests/system/members.test.ts'],
  },
  {
    id: 'demoted-tokens',
    title: 'service tokens outlast the administrator’s rights by which they were made',
    file: 'services/proxies/users/projection.ts',
    find: 'await tx.sql`delete from service_tokens where created_by = ${user.id} and as_admin`;',
    replace: '',
    tests: ['services/proxies/access/visits-in-order.integration.test.ts'],
  },
  {
    id: 'look-alike-race',
    title: 'two users who ask at once get subdomains that look alike: each name has its own lock',
    file: 'services/proxies/proxy/address.ts',
    find: 'lock_transaction(${`hostname ${skeleton}`})',
    replace: 'lock_transaction(${`hostname ${hostname}`})',
    tests: [
      'services/proxies/proxy/hostnames.integration.test.ts',
      'services/proxies/proxies/proxies.integration.test.ts',
      'tests/system/simultaneous-creates.test.ts',
    ],
  },
  {
    id: 'port-rules-unseen',
    title: 'other tabs do not hear of a game port’s new rules: only a new target port is published',
    file: 'services/proxies/game-ports/update.ts',
    find: 'await saveProxy(tx, row);',
    replace: 'if (input.targetPort !== before.targetPort) await saveProxy(tx, row);',
    tests: ['services/proxies/game-ports/game-ports.integration.test.ts', 'tests/browser/game-ports.test.ts'],
  },
  {
    id: 'order-twice',
    title: 'an administrator’s order that NATS delivers twice undoes what the user has chosen in between',
    file: 'services/billing/subscriptions/set.ts',
    find: 'row.commandVersion >= order.version',
    replace: 'row.commandVersion > order.version',
    tests: ['services/billing/subscriptions/billing.integration.test.ts'],
  },
  {
    id: 'address-backlog',
    title:
      'IP addresses of a busy installation stay in the audit trail for too long: one batch an hour is forgotten',
    file: 'services/stats/audit/retention.ts',
    find: '(await forgetOld(sql, auditRetention)) > 0)',
    replace: '(await forgetOld(sql, auditRetention)) > 5_000)',
    tests: ['services/stats/audit/trail.integration.test.ts'],
  },
  {
    id: 'resent-given-up',
    title: 'an email that an administrator sends again is given up after one attempt: its failures count on',
    file: 'services/notifications/mails/sql.ts',
    find: 'due_at = now(), failures = 0, content = null',
    replace: 'due_at = now(), content = null',
    tests: ['services/notifications/mails/mails.integration.test.ts'],
  },
  {
    id: 'plan-end-once',
    title: 'only the first end of a user’s plan is notified of: the cause does not name the end',
    file: 'services/notifications/plans/ends.ts',
    find: '`${content.kind}:${row.userId}:${row.expiresAt.toISOString()}`',
    replace: '`${content.kind}:${row.userId}`',
    tests: ['services/notifications/inbox/inbox.integration.test.ts'],
  },
  {
    id: 'title-mentions',
    title: 'a proxy’s name mentions somebody on Telegram: the title is not escaped, the text is',
    file: 'services/notifications/deliveries/requests.ts',
    find: '...[title, text].map((part) =>',
    replace: 'title, ...[text].map((part) =>',
    tests: ['services/notifications/deliveries/requests.test.ts'],
  },
  {
    id: 'failures-of-before',
    title:
      'a new edit of a proxy becomes a dead letter at its first failure: failures of the edit before count',
    file: 'services/tunnel-worker/jobs/failed.ts',
    find: 'const before = sameAsBefore ? job.failures : 0;',
    replace: 'const before = job.failures;',
    tests: ['services/tunnel-worker/jobs/failed.integration.test.ts'],
  },
  {
    id: 'lost-job-goes-on',
    title:
      'a worker that has lost its job does not break off its call: the provider does it beside the new worker’s',
    file: 'services/tunnel-worker/jobs/run.ts',
    find: 'signal: stopped,',
    replace: 'signal: context.stopping,',
    tests: ['services/tunnel-worker/jobs/run.integration.test.ts'],
  },
  {
    id: 'pages-without-order',
    title: 'tunnels that were made at the same time appear on two pages of the list, or on none',
    file: 'services/tunnel-provider/tunnels/list.ts',
    find: 'order by created_at desc, id',
    replace: 'order by created_at desc',
    tests: [
      'services/tunnel-provider/tunnels/tunnels.integration.test.ts',
      'services/tunnel-worker/provider/official.integration.test.ts',
    ],
  },
  {
    id: 'second-cookie',
    title: 'the cookie after a removed one passes unseen, with its Domain or as one of the wall’s own',
    file: 'services/edge/visitors/cookies.ts',
    find: 'fields.splice(index, 2);\n      index -= 2;',
    replace: 'fields.splice(index, 2);',
    tests: ['services/edge/visitors/cookies.test.ts'],
  },
  {
    id: 'player-locked-out',
    title:
      'a player with IPv6 is locked out after some connections: they are counted by network, and discounted by address',
    file: 'services/edge/game-ports/limits.ts',
    find: 'add(ofVisitor, addressKey(address), -1);',
    replace: 'add(ofVisitor, address, -1);',
    tests: [
      'services/edge/game-ports/rules.test.ts',
      'services/edge/game-ports/game-ports.integration.test.ts',
    ],
  },
  {
    id: 'long-lived-leak',
    title:
      'downloads that last use up the places of WebSockets for good: they are given back as ordinary requests',
    file: 'services/edge/visitors/handler.ts',
    find: 'longLived ||= parts.limits.becomeLongLived({ proxyId, address });',
    replace: 'parts.limits.becomeLongLived({ proxyId, address });',
    tests: ['services/edge/visitors/limits.test.ts', 'services/edge/visitors/long-lived.test.ts'],
  },
  {
    id: 'peer-repeated-header',
    title:
      'of a header that a visitor repeats the panel gets the first alone, where the connector is at another edge',
    file: 'services/edge/peers/listen.ts',
    find: 'before === undefined ? value : [before, value].flat()',
    replace: 'before ?? value',
    tests: ['services/edge/peers/peers.integration.test.ts'],
  },
  {
    id: 'consumer-missing-for-ever',
    title: 'the alert of a missing consumer stays although it is there again',
    file: 'packages/service-kit/events/consume.ts',
    find: 'consumers.get(stream, durable);\n        missing.set({ consumer: durable }, 0);',
    replace: 'consumers.get(stream, durable);',
    tests: ['packages/service-kit/events/consume.integration.test.ts'],
  },
  {
    id: 'retry-without-pause',
    title: 'a message that cannot be handled comes again without a pause, and keeps processor and log busy',
    file: 'packages/service-kit/events/settle.ts',
    find: 'message.nak(delay);',
    replace: 'message.nak();',
    tests: [
      'packages/service-kit/events/settle.test.ts',
      'packages/service-kit/events/consume.integration.test.ts',
    ],
  },
  {
    id: 'needed-key-forgotten',
    title:
      '“keys forget tokens” deletes the key that the account of the certificate authority is encrypted with',
    file: 'operator/commands/keys.ts',
    find: "tables: ['tunnel_provider.tunnels', 'tunnel_provider.acme_accounts']",
    replace: "tables: ['tunnel_provider.tunnels']",
    tests: ['tests/operator/keys.test.ts', 'tests/system/certificates/certificates.test.ts'],
  },
  {
    id: 'first-password-again',
    title: '“admin first” shows the first password each time instead of once, and keeps it on the disk',
    file: 'operator/commands/admin.ts',
    find: 'forgetPassword(secrets);',
    replace: 'if (given) forgetPassword(secrets);',
    tests: ['tests/operator/admin.test.ts', 'operator/containers/files.test.ts'],
  },
  {
    id: 'stop-cut-short',
    title: 'an edge that may let requests finish for a minute is killed after twelve seconds',
    file: 'launcher/supervision/supervisor.ts',
    find: "part.stopSignal ?? 'SIGTERM', part.stopMs?.(facts));",
    replace: "part.stopSignal ?? 'SIGTERM');",
    tests: ['launcher/supervision/supervisor.integration.test.ts', 'tests/system/edge.test.ts'],
  },
  {
    id: 'typed-count-stays',
    title: 'who deletes many rows again need not type their number: it still stands there from the last time',
    file: 'frontends/admin/src/bulk/bulk-dialog.tsx',
    find: 'opening > 0 && <OpenedDialog key={opening} {...props} />',
    replace: 'opening > 0 && <OpenedDialog {...props} />',
    tests: ['frontends/sources.test.ts', 'tests/browser/lists.test.ts'],
  },
  {
    id: 'other-tab-leaving',
    title:
      'after a sign-out that failed other tabs take a session that is ended elsewhere for one that was left on purpose',
    file: 'packages/panel-kit/core/session.tsx',
    find: "trackSession('staying');\n      notifyOtherTabs('staying');",
    replace: "trackSession('staying');",
    tests: ['tests/browser/accounts.test.ts'],
  },
  {
    id: 'page-turn-focus',
    title: 'after a turn of a list’s page keyboard and screen reader stay below the new rows',
    file: 'packages/panel-kit/table/page-frame.tsx',
    find: 'frame.current?.focus({ preventScroll: true });',
    replace: '',
    tests: ['tests/browser/lists.test.ts'],
  },
  {
    id: 'export-first-page',
    title: 'the export of one’s data holds only the first part of what was sent to channels',
    file: 'frontends/user/src/settings/export-panel.tsx',
    find: 'whole.deliveries.push(...part.deliveries);',
    replace: '',
    tests: ['tests/browser/accounts.test.ts'],
  },
  {
    id: 'filter-keeps-page',
    title: 'a filter that is chosen on the third page of a list hides the first matches',
    file: 'packages/panel-kit/table/use-list.ts',
    find: 'go({ ...first, filters: Object.fromEntries(all)',
    replace: 'go({ ...view, filters: Object.fromEntries(all)',
    tests: ['packages/panel-kit/table/address.test.ts', 'tests/browser/lists.test.ts'],
  },
  {
    id: 'totals-once',
    title: 'open pages are told once in a gateway’s life that the totals have changed, and then never again',
    file: 'gateway/live/relay.ts',
    find: "          totalsTimer = undefined;\n          hub.broadcast({ type: 'totals' });",
    replace: "          hub.broadcast({ type: 'totals' });",
    tests: ['tests/system/live.test.ts'],
  },
  {
    id: 'wrong-codes-forever',
    title: 'wrong codes of an earlier quarter of an hour go on counting: the next single typo locks out',
    file: 'services/auth/second-factors/prove.ts',
    find: 'count = case when known.window_ends_at > now() then known.count + 1 else 1 end,',
    replace: 'count = known.count + 1,',
    tests: ['services/auth/second-factors/second-factors.integration.test.ts'],
  },
  {
    id: 'generation-of-newest',
    title:
      'a change of a proxy is not tried at once after a failure when another of its server has changed more often',
    file: 'services/tunnel-worker/jobs/goal.ts',
    find: ': proxies.reduce((sum, { generation }) => sum + generation, 0);',
    replace: ': Math.max(...proxies.map(({ generation }) => generation));',
    tests: ['services/tunnel-worker/jobs/goal.test.ts'],
  },
  {
    id: 'degraded-hidden',
    title: 'a connector that has lost connections does not show while a second one is whole',
    file: 'services/tunnel-worker/tunnels/get-connectors.ts',
    find: 'degraded: connectors.some(({ connections }) => connections < fullConnections),',
    replace:
      'degraded: connectors.length > 0 && connectors.every(({ connections }) => connections < fullConnections),',
    tests: ['tests/system/health.test.ts'],
  },
  {
    id: 'day-of-24-hours',
    title: 'the audit filter’s last day ends an hour early or late where the clocks change',
    file: 'frontends/admin/src/audit/filter.ts',
    find: 'date.setDate(date.getDate() + daysLater);',
    replace: 'date.setTime(date.getTime() + daysLater * 86_400_000);',
    tests: ['tests/browser/admin.test.ts'],
  },
  {
    id: 'return-of-another',
    title: 'who signs in with a provider after another user gets to that user’s page',
    file: 'frontends/shell/src/return.ts',
    find: 'left = { path: kept.path, by: kept.by, interruption: null };',
    replace: 'left = { path: kept.path, by: null, interruption: null };',
    tests: ['tests/browser/identities.test.ts'],
  },
  {
    id: 'new-browser-again',
    title: 'a browser without its cookie is taken for new although it signs in from its known place',
    file: 'services/auth/sessions/devices.ts',
    find: 'update known_devices set last_used_at = now(), place = ${place}\n    where user_id = ${userId} and (id = ${id} or place = ${place})`;',
    replace:
      'update known_devices set last_used_at = now(), place = ${place}\n    where user_id = ${userId} and id = ${id}`;',
    tests: ['services/auth/accounts/recovery.integration.test.ts'],
  },
  {
    id: 'look-under-way',
    title: 'a stream goes on whose session ends while that session is being looked at',
    file: 'gateway/live/sessions.ts',
    find: 'again.add(sessionId);\n    if (running.has(sessionId)) return;\n    running.add(sessionId);',
    replace: 'if (running.has(sessionId)) return;\n    again.add(sessionId);\n    running.add(sessionId);',
    tests: ['tests/gateway/live.test.ts'],
  },
  {
    id: 'renewed-plan-lapsed',
    title: 'who renews a plan that had run out stays under the free plan in the filter of the list of users',
    file: 'services/auth/entitlements/projection.ts',
    find: 'version = excluded.version, deleted = excluded.deleted, lapsed = false',
    replace: 'version = excluded.version, deleted = excluded.deleted',
    tests: ['services/auth/entitlements/entitlements.integration.test.ts'],
  },
  {
    id: 'weekly-limit-newest',
    title: 'beyond the weekly limit certificates wait until the newest order is a week old, not the oldest',
    file: 'services/tunnel-provider/certificates/claim.ts',
    find: "select count(*), min(ordered_at) + interval '7 days' as free_at,",
    replace: "select count(*), max(ordered_at) + interval '7 days' as free_at,",
    tests: ['services/tunnel-provider/certificates/claim.integration.test.ts'],
  },
  {
    id: 'oldest-certificate',
    title: 'of a name’s own certificate and the wildcard the one that ends first is served',
    file: 'services/edge/certificates/load.ts',
    find: 'issued.sort((a, b) => Number(b.notAfter) - Number(a.notAfter));',
    replace: 'issued.sort((a, b) => Number(a.notAfter) - Number(b.notAfter));',
    tests: ['tests/system/certificates/certificates.test.ts'],
  },
  {
    id: 'csv-from-this-page',
    title: 'the request log that is downloaded begins with the page that is shown',
    file: 'frontends/user/src/requests/requests-panel.tsx',
    find: 'const { cursor: _first, ...input } = inputOf(proxyId, address);',
    replace: 'const input = inputOf(proxyId, address);',
    tests: ['tests/browser/requests.test.ts'],
  },
];
