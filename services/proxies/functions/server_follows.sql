-- The previous version knows no servers: what it writes of the tunnel of a proxy that is alone on its server reaches the server here. This
-- version writes the server first, so that nothing is left to follow. It goes with the next release.
create or replace function server_follows() returns trigger language plpgsql set search_path = proxies, pg_temp as $$
declare
  tunnel jsonb := case when new.applied is not null then
    jsonb_build_object('tunnelId', new.applied -> 'tunnelId', 'incarnation', new.applied -> 'incarnation') end;
  has_new_tunnel boolean := old.applied is distinct from new.applied;
  has_new_health boolean := old.tunnel_health is distinct from new.tunnel_health;
  is_settled boolean := new.generation <= new.applied_generation;
begin
  update servers set
    incarnation = new.incarnation,
    last_incarnation = greatest(last_incarnation, new.last_incarnation),
    removed_at = new.removed_at,
    generation = generation + (incarnation <> new.incarnation or removed_at is distinct from new.removed_at)::integer,
    applied = case when has_new_tunnel then tunnel else applied end,
    applied_generation = case when is_settled then generation else applied_generation end,
    tunnel_health = case when has_new_health then new.tunnel_health else tunnel_health end,
    tunnel_health_at = case when has_new_health then new.tunnel_health_at else tunnel_health_at end
  where id = new.server_id and uuid = new.uuid and kind = 'implicit'
    and (incarnation <> new.incarnation or removed_at is distinct from new.removed_at
      or (has_new_tunnel and applied is distinct from tunnel)
      or (has_new_health and tunnel_health is distinct from new.tunnel_health)
      or (is_settled and applied_generation < generation))
    and not exists (select 1 from proxies where server_id = new.server_id and id <> new.id);
  return null;
end $$;

create or replace trigger server_follows after update on proxies
  for each row when (
    old.incarnation <> new.incarnation
    or old.removed_at is distinct from new.removed_at
    or old.applied is distinct from new.applied
    or old.applied_generation <> new.applied_generation
    or old.tunnel_health is distinct from new.tunnel_health
  )
  execute function server_follows();
