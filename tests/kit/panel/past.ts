import { openDatabase } from '@talpa/service-kit/database/connect';
import type { Talpa } from '../../../launcher/system.ts';
import type { Client } from '../client.ts';

const days = 30;

/**
 * Moves a proxy's measured history back and gives it visitors on each day: a test's server has run for
 * seconds. Nothing but the statistics' own tables is touched.
 */
export async function publishPast(
  talpa: Talpa,
  owner: Client,
  { id }: { readonly id: number },
): Promise<void> {
  const { tunnelId } = await owner.call('GET /api/tunnel-status/:id', { id });
  if (!tunnelId) throw new Error('the proxy has no tunnel');
  const sql = openDatabase(talpa.stores.adminUrl, 1);
  // Set up long ago, lost for six hours twelve days ago, connected since.
  await sql`
    with own as (
      select proxy_id, version, state,
        max(version) filter (where state = 'down') over (partition by proxy_id) as lost
      from stats.states join stats.tunnels using (proxy_id) where tunnel_id = ${tunnelId})
    update stats.states
    set at = now() - case
      when own.version < own.lost then interval '81 days' - own.version * interval '1 second'
      when own.version = own.lost then interval '12.4 days'
      else interval '12.15 days' - own.version * interval '1 second' end
    from own where states.proxy_id = own.proxy_id and states.version = own.version`;
  await sql`
    insert into stats.traffic
    select ${tunnelId}, date_trunc('day', now()) - make_interval(days => day, hours => hour), 1,
      calls, calls * 900, calls * 14000, 0, calls - calls / 25, calls / 60, calls / 50, 0, 0
    from generate_series(1, ${days}) as day, generate_series(1, 9) as hour,
      lateral (select 40 + (day * 37 + hour * 61) % 190 + (day % 7) * 18 as calls) as made
    on conflict do nothing`;
  await sql.end();
}
