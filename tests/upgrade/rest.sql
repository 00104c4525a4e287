-- What else stood in the tables of the last release: somebody with everything that has to do with signing in, and what proxies, the edge,
-- the provider, statistics and notifications keep of the proxy “alt” and of its owner.
insert into auth.users (id, username, username_key, skeletons, password_hash, passkey_handle)
  values (9, 'Dachs', 'dachs', '{dachs}', '', '\x01');
insert into auth.sessions (id, user_id, expires_at, address, user_agent)
  values ('00000000-0000-4000-8000-000000000009', 9, '2099-01-01', '192.0.2.9', 'Firefox');
insert into auth.authenticators (user_id, secret, key_id, confirmed_at) values (9, '\x00', 'gone', now());
insert into auth.pending_authenticators (session_id, user_id, secret, key_id)
  values ('00000000-0000-4000-8000-000000000009', 9, '\x00', 'gone');
insert into auth.recovery_codes (user_id, hash) values (9, '\x00');
insert into auth.wrong_codes (user_id, device, count, window_ends_at) values (9, '', 1, now() + interval '1 hour');
insert into auth.sign_in_challenges (id, user_id, password_hash, expires_at)
  values (gen_random_uuid(), 9, '', now() + interval '5 minutes');
insert into auth.passkeys (user_id, credential_id, public_key, counter, transports, host, name, announced_by)
  values (9, 'AQ', '\x00', 0, '{internal}', 'localhost', 'Telefon', gen_random_uuid());
insert into auth.passkey_challenges (challenge, purpose, expires_at) values ('AQ', 'sign_in', now() + interval '5 minutes');
insert into auth.api_keys (user_id, name, secret_hash, scopes, networks, announced_by)
  values (9, 'Sicherung', '\x00', '{proxies:read}', '{}', gen_random_uuid());
insert into auth.identities (user_id, issuer, subject, name) values (9, 'https://id.example', '1', 'dachs');
insert into auth.provider_requests (state, provider, purpose, device, nonce, code_verifier, expires_at)
  values ('AQ', 'id', 'sign_in', '', '', '', now() + interval '5 minutes');
insert into auth.new_identities (hash, device, provider, subject, name, expires_at)
  values ('\x00', '', 'id', '2', 'luchs', now() + interval '5 minutes');
insert into auth.registrations (network) values ('192.0.2.0/24');
insert into auth.registration_challenges (challenge, network, expires_at) values ('AQ', '192.0.2.0/24', now() + interval '5 minutes');

insert into proxies.users (user_id, username, user_version) values (9, 'Dachs', 1);
insert into proxies.members (proxy_id, user_id, role, joined_at) select id, 9, 'view', now() from proxies.proxies where server_name = 'alt';
update proxies.proxies set member_ids = '[9]' where server_name = 'alt';
insert into proxies.domains (proxy_id, user_id, host, token) select id, user_id, 'panel.example.org', 'x' from proxies.proxies
  where server_name = 'alt';
insert into proxies.access_policies (proxy_uuid, policy) select uuid, '{"kind": "open"}' from proxies.proxies where server_name = 'alt';
insert into proxies.visits (proxy_uuid, token_hash, policy_version, methods, address, user_agent, expires_at)
  select proxy_uuid, '\x00', 1, '{pin}', '192.0.2.9', 'Firefox', '2099-01-01' from proxies.access_policies;
insert into proxies.access_codes (code_hash, proxy_uuid, host, state_hash, user_id, method, as_admin)
  select '\x00', proxy_uuid, 'alt.tunnel.localhost', '\x00', 9, 'member', false from proxies.access_policies;
insert into proxies.access_tries (proxy_uuid, visitor) select proxy_uuid, '192.0.2.9' from proxies.access_policies;
insert into proxies.service_tokens (proxy_uuid, name, token_hash) select proxy_uuid, 'Skript', '\x00' from proxies.access_policies;
insert into proxies.access_email_codes (proxy_uuid, policy_version, address, host, language, state_hash)
  select proxy_uuid, 1, 'gast@example.org', 'alt.tunnel.localhost', 'de', '\x00' from proxies.access_policies;
insert into proxies.access_code_mails (code_id, owner_id, address_hash) values (gen_random_uuid(), 7, '\x00');
insert into proxies.reserved_hostnames (hostname, user_id) values ('frueher.tunnel.localhost', 7);
insert into proxies.game_ports (proxy_uuid, user_id, public_port, target_host, target_port, preset, rules, removed_at)
  values (gen_random_uuid(), 7, 25565, '127.0.0.1', 25565, 'minecraft', '{"kind": "open"}', now());

insert into edge.port_traffic (port_id, quarter) values (1, date_trunc('hour', now()));
insert into edge.port_connections (edge_id, port_id, open, seen_at) values (gen_random_uuid(), 1, 0, now() - interval '1 day');

insert into tunnel_provider.acme_accounts (directory, secret, key_id) values ('https://acme.example/directory', '\x00', 'gone');
insert into tunnel_provider.acme_orders (name, is_renewal) values ('panel.example.org', false);
insert into tunnel_provider.acme_challenges (token, host, key_authorization) values ('x', 'panel.example.org', 'x.y');
insert into tunnel_provider.certificates (name, attempt_at) values ('panel.example.org', 'infinity');

insert into stats.counted (kind, id, version, present, active) values ('user', '9', 1, true, false);
update stats.totals set value = value + 1 where name = 'users';
insert into stats.request_logs (proxy_id, stored) select uuid, 1 from proxies.proxies where server_name = 'alt';
insert into stats.requests (proxy_id, request_id, at, method, path, status, duration, bytes_in, bytes_out, network, agent)
  select proxy_id, 'alt-1', now(), 'GET', '/', 200, 3, 0, 10, '192.0.2.0/24', 'Firefox' from stats.request_logs;
insert into stats.missed_requests (proxy_id, hour, count) select proxy_id, date_trunc('hour', now()), 2 from stats.request_logs;
insert into stats.plans (user_id, tier, expires_at, version) values (7, 'premium', '2099-12-31', 2);

insert into notifications.users (user_id, username, username_key, version) values (7, 'Maulwurf', 'maulwurf', 3);
insert into notifications.proxies (uuid, proxy_id, user_id, server_name, version, deleted, has_error)
  select uuid, id, user_id, server_name, version, false, false from proxies.proxies where server_name = 'alt';
insert into notifications.plans (user_id, tier, proxy_limit, expires_at, version, deleted) values (7, 'premium', 10, '2099-12-31', 2, false);
insert into notifications.mails (cause, user_id, kind, params, state) values (gen_random_uuid(), 7, 'test', '{}', 'sent');
insert into notifications.restored values (now() - interval '1 year');
insert into notifications.inbox (cause, user_id, kind, params) values ('alt-1', 7, 'plan_ended', '{"tier": "basic"}');
insert into notifications.mass_losses (first_at, detected_at) values (now() - interval '2 days', now() - interval '2 days');
insert into notifications.announcements (level, title_de, text_de, title_en, text_en, starts_at, ends_at, notified_up_to)
  values ('info', 'Wartung', 'Heute', 'Maintenance', 'Today', now() - interval '2 days', now() - interval '1 day', null);
insert into notifications.channels (id, user_id, kind, name, host, topics, language, secret, key_id, state)
  values (1, 9, 'webhook', 'Skript', 'example.org', '{}', 'de', '\x00', 'gone', 'paused');
insert into notifications.deliveries (channel_id, notifications, state) values (1, '[]', 'sent');
update notifications.proxies set tunnel_id = (select tunnel_id from stats.tunnels limit 1);
insert into notifications.origins (tunnel_id, version, unreachable_since, lost_notified_at)
  select tunnel_id, 1, now() - interval '2 hours', now() - interval '1 hour' from stats.tunnels limit 1;
insert into notifications.provider_faults (fault, since, notified_at, gone_at) values ('tunnels_missing', now(), now(), now());
insert into notifications.recipients (cause, kind, address) values (gen_random_uuid(), 'test', '\x00');
