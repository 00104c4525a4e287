import { request } from 'node:http';
import { proxyInput } from '@talpa/test-kit/client';
import { cpuBetween, cpuSeconds, memoryMiB } from '../kit/processes.ts';
import { short, spread } from '../kit/statistics.ts';
import { startTalpaForBench } from '../systems/talpa.ts';

const changes = 20;

/** How long it takes until all open streams have received a change, and what that costs the gateway. */
export async function measureStreams({ streams }: { streams: number }): Promise<void> {
  const talpa = await startTalpaForBench();
  try {
    const admin = await talpa.admin();
    await admin.call('PUT /api/admin/users/:id', {
      ...(await admin.call('GET /api/user', {})),
      subscriptionTier: 'enterprise',
      proxyLimit: 25,
    });
    const gateway = talpa.parts.gateway ?? 0;
    const before = memoryMiB(gateway);
    let notified = 0;
    let allNotified = () => {};
    const open = await Promise.all(
      Array.from({ length: streams }, () =>
        openStream(talpa.url, admin.cookie, (text) => {
          if (!text.includes('"change":"created"')) return;
          notified += 1;
          if (notified === streams) allNotified();
        }),
      ),
    );
    console.log(
      `${streams} streams: the gateway has ${short(memoryMiB(gateway) - before)} MiB more, ${short(((memoryMiB(gateway) - before) * 1_024) / streams)} kB each`,
    );
    const times: number[] = [];
    const cpu: number[] = [];
    for (let change = 0; change < changes; change += 1) {
      notified = 0;
      const all = new Promise<void>((resolve) => {
        allNotified = resolve;
      });
      const used = cpuSeconds({ gateway });
      const begin = performance.now();
      const created = admin.call('POST /api/tunnel-configs', proxyInput());
      await all;
      times.push(performance.now() - begin);
      const { proxy } = await created;
      cpu.push((cpuBetween(used, cpuSeconds({ gateway })).gateway ?? 0) * 1_000);
      await admin.call('DELETE /api/tunnel-configs/:id', { id: proxy.id });
    }
    console.log(`from the call to the last stream that receives the create: ${spread(times)} ms`);
    console.log(`the gateway’s processor time meanwhile: ${spread(cpu)} ms`);
    for (const close of open) close();
  } finally {
    await talpa.stop();
  }
}

/** Opens a stream; resolves with what closes it once its first message has come. */
function openStream(url: string, cookie: string, onText: (text: string) => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const asked = request(`${url}/api/events`, { headers: { cookie }, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`the stream returned ${response.statusCode}`));
      response.setEncoding('utf8');
      response.on('error', () => {});
      response.once('data', () => resolve(() => asked.destroy()));
      response.on('data', onText);
    });
    asked.on('error', reject);
    asked.end();
  });
}
