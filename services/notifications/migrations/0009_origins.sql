-- Admin panels behind connected tunnels that do not respond, as the statistics have it from the edge.
create table origins (
  tunnel_id text primary key,
  -- That of the measurement.
  version bigint not null,
  -- When it was heard of last: what is old may be over.
  noted_at timestamptz not null default now(),
  -- Since when it does not respond; null: it does.
  unreachable_since timestamptz,
  -- When its owner was notified of that.
  lost_notified_at timestamptz,
  -- Since when it responds again; its owner is not notified of that yet.
  back_at timestamptz
);
create index origins_unreachable on origins (tunnel_id) where unreachable_since is not null;
create index proxies_by_tunnel on proxies (tunnel_id) where not deleted;
