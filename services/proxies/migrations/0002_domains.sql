-- Domains that users bring for their proxies.
create table domains (
  id bigint generated always as identity primary key,
  proxy_id bigint not null references proxies on delete cascade,
  user_id bigint not null,
  -- ASCII, lower case.
  host text not null,
  -- What the TXT record must hold: random, so that no other user's record verifies it.
  token text not null,
  state text not null default 'pending',
  problem text,
  created_at timestamptz not null default now(),
  checked_at timestamptz,
  verified_at timestamptz,
  -- Checks that failed since the last one that did not, and since when.
  failures integer not null default 0,
  failing_since timestamptz,
  -- When it is checked next; null: only when somebody asks for it.
  check_at timestamptz,
  -- It is to lead to the proxy's tunnel.
  served boolean not null default false,
  -- No other user can have the host: it is served, or its record may still be at the provider.
  held boolean not null default false,
  -- Removed by a person; the row goes when its record is gone at the provider.
  removed_at timestamptz
);
create unique index domains_held on domains (host) where held;
create unique index domains_of_user on domains (user_id, host) where removed_at is null;
create index domains_by_proxy on domains (proxy_id);
create index domains_due on domains (check_at) where check_at is not null;
