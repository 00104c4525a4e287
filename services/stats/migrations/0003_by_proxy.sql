-- Edges count by proxy, not by tunnel: several proxies can share one. What was counted by tunnel stays as it was, and beside it the
-- tunnel_id of new rows of `traffic` and `origins` holds the proxy's id: the version before still writes both. An outage that lasts goes on.
insert into origins (tunnel_id, version, last_response_at, last_status, last_unreachable_at, unreachable_since, is_reported)
select distinct on (proxy_id) proxy_id::text, 0, last_response_at, last_status, last_unreachable_at, unreachable_since, is_reported
from origins join tunnels using (tunnel_id)
order by proxy_id, greatest(last_response_at, last_unreachable_at) desc nulls last
on conflict (tunnel_id) do nothing;
