alter table people add column is_admin boolean not null default false;

alter table proxies
  add column is_connected boolean not null default false,
  add column tunnel_id text,
  -- Since when its connector is away; null: it is not, or was never there.
  add column away_since timestamptz,
  -- When its owner was notified of that.
  add column lost_notified_at timestamptz,
  -- Since when it is back from an absence that its owner was notified of; they are not notified of the return yet.
  add column back_at timestamptz;
create index proxies_away on proxies (away_since) where away_since is not null and lost_notified_at is null;
create index proxies_back on proxies (user_id) where back_at is not null;
create index proxies_lost on proxies (user_id) where lost_notified_at is not null;

-- Times at which so many connectors were lost at once that the cause is hardly theirs.
create table mass_losses (
  id bigint generated always as identity primary key,
  detected_at timestamptz not null default now(),
  -- When the first of them was lost.
  first_at timestamptz not null,
  administrators_notified boolean not null default false
);
