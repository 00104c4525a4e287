-- Statistics say of a proxy, not of its tunnel, that its panel does not respond: the tunnel_id of new rows of `origins` holds the proxy's
-- id, because the version before still writes them. The end of an outage that owners were notified of is told by proxy, too.
insert into origins (tunnel_id, version, heard_at, unreachable_since, lost_notified_at)
select uuid::text, 0, heard_at, unreachable_since, origins.lost_notified_at
from origins join proxies using (tunnel_id)
where not deleted and origins.lost_notified_at is not null and origins.back_at is null
on conflict (tunnel_id) do nothing;
