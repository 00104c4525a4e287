import { openDatabase } from '@talpa/service-kit/database/connect';
import { startLoader } from '../kit/loader.ts';
import { cpuBetween, cpuSeconds, sum, untilQuiet } from '../kit/processes.ts';
import { short, spread, summary, table } from '../kit/statistics.ts';
import { newBenchUsers, startTalpaForBench } from '../systems/talpa.ts';

const users = 16;
const sizes = [1_000, 100_000, 1_000_000];
const lists = [
  { name: 'own 25', path: '/api/tunnel-configs', admin: false },
  { name: 'all, the first 25', path: '/api/admin/tunnel-configs?limit=25', admin: true },
  {
    name: 'all by name, the first 25',
    path: '/api/admin/tunnel-configs?limit=25&sort=serverName',
    admin: true,
  },
];

/** The same lists over a table of a thousand, a hundred thousand and a million proxies. */
export async function measureLists({ rounds, seconds }: { rounds: number; seconds: number }): Promise<void> {
  const loader = await startLoader();
  // The worker's comparing all tunnels with the provider's would be counted as the list's.
  const talpa = await startTalpaForBench({ HEALTH_INTERVAL_MS: '3600000', RESYNC_INTERVAL_MS: '3600000' });
  const owner = openDatabase(talpa.talpa.stores.adminUrl, 1);
  try {
    const readers = await newBenchUsers(talpa.talpa, users, 25);
    const admin = await talpa.admin();
    await owner`alter table proxies.proxies set (autovacuum_enabled = false)`;
    const rows: string[][] = [];
    const first = new Map<string, number>();
    for (const size of sizes) {
      await owner`
        insert into proxies.proxies (uuid, user_id, server_name, server_ip, admin_port, hostname, proxy_port, status,
          applied_generation)
        select uuid, 1000000 + at / 5, 'Server ' || at, '127.0.0.1', 40120, uuid || '.tunnel.localhost', 8081,
          'inactive', 1
        from (select gen_random_uuid() as uuid, at
          from generate_series((select count(*) from proxies.proxies) + 1, ${size}) at) made`;
      await owner`vacuum analyze proxies.proxies`;
      // What filling leaves behind would be counted as the list's.
      await owner`checkpoint`;
      await untilQuiet(talpa.parts);
      for (const { name, path, admin: isAdmin } of lists) {
        const times: number[] = [];
        const cpus: number[] = [];
        for (let round = 0; round <= rounds; round += 1) {
          const before = cpuSeconds(talpa.parts);
          const measured = await loader.run({
            url: talpa.url,
            cookies: isAdmin ? [admin.cookie] : readers.map(({ cookie }) => cookie),
            work: { kind: 'read', path },
            seconds: round === 0 ? 1 : seconds,
            connections: 8,
          });
          if (measured.failed > 0) throw new Error(`${path}: ${measured.failed} failed`);
          // The first round fills the caches.
          if (round === 0) continue;
          times.push(measured.p50);
          cpus.push((sum(cpuBetween(before, cpuSeconds(talpa.parts))) / measured.count) * 1e6);
        }
        const { median } = summary(cpus);
        const base = first.get(name) ?? median;
        first.set(name, base);
        rows.push([name, String(size), spread(times), spread(cpus), short(median / base)]);
      }
    }
    console.log(
      table(['list', 'rows in the table', 'p50 ms', 'CPU µs each', `CPU ÷ that at ${sizes[0]}`], rows),
    );
  } finally {
    loader.end();
    await owner.end();
    await talpa.stop();
  }
}
