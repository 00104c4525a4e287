import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@talpa/test-kit/ports';
import { download, smallRequests, upload } from './load.ts';

/*
 * The edge beside nginx as a plain reverse proxy, in one run before the same origin. The edge's requests go on
 * through a connector, nginx's straight to the origin; so beside what a visitor sees it shows what each proxy
 * itself used of the processor. `NGINX_PATH` names nginx when it is not installed.
 */
const gigabyte = Number(process.env.BENCH_BYTES ?? 1_073_741_824);
const smallMs = Number(process.env.BENCH_MS ?? 8_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 2);
const folder = mkdtempSync(join(tmpdir(), 'talpa-bench-'));
const children: ChildProcess[] = [];

async function start(
  file: string,
  ...args: number[]
): Promise<{ pid: number; said: Record<string, number> }> {
  const child = fork(join(import.meta.dirname, file), args.map(String), { execArgv: process.execArgv });
  children.push(child);
  const [said] = await once(child, 'message');
  return { pid: child.pid ?? 0, said: said as Record<string, number> };
}

async function startNginx(originPort: number): Promise<{ port: number; pids: number[] } | null> {
  const program = process.env.NGINX_PATH ?? '/usr/sbin/nginx';
  if (!existsSync(program)) return null;
  const port = await freePort();
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const config = `worker_processes 1; daemon off; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 1024; }
http { access_log off; client_max_body_size 0; ${temp.join(' ')}
  upstream origin { server 127.0.0.1:${originPort}; keepalive 256; }
  server { listen 127.0.0.1:${port}; keepalive_requests 100000000;
    location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $host; proxy_set_header X-Forwarded-For $remote_addr;
      proxy_buffering off; proxy_request_buffering off; } } }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
  children.push(child);
  await sleep(500);
  const workers = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  return { port, pids: workers };
}

/** Seconds of processor time these processes have used. */
function cpu(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((a, b) => a + b, 0) / 100;
}

function memory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;
}

interface Result {
  readonly perSecond: number;
  readonly perCpuSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly aloneMs: number;
  readonly down: number;
  readonly downPerCpu: number;
  readonly up: number;
  readonly upPerCpu: number;
}

async function measure(port: number, pids: readonly number[]): Promise<Result> {
  await smallRequests(port, 32, 1_500);
  const alone = await smallRequests(port, 1, 1_500);
  const before = cpu(pids);
  const times = await smallRequests(port, 32, smallMs);
  const used = cpu(pids) - before;
  const transfer = async (work: () => Promise<number>) => {
    const start = cpu(pids);
    const rate = await work();
    return { rate: rate / 1e6, perCpu: gigabyte / 1e6 / Math.max(0.01, cpu(pids) - start) };
  };
  const down = await transfer(() => download(port, gigabyte));
  const up = await transfer(() => upload(port, gigabyte));
  return {
    perSecond: (times.length / smallMs) * 1_000,
    perCpuSecond: times.length / Math.max(0.01, used),
    medianMs: times[times.length >> 1] ?? 0,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    aloneMs: alone[alone.length >> 1] ?? 0,
    down: down.rate,
    downPerCpu: down.perCpu,
    up: up.rate,
    upPerCpu: up.perCpu,
  };
}

const show = (name: string, result: Result) =>
  console.log(
    name.padEnd(8),
    Object.entries(result)
      .map(([key, value]) => `${key} ${value >= 100 ? Math.round(value) : value.toFixed(2)}`)
      .join(' · '),
  );

function ratio(ours: Result, theirs: Result): void {
  const ratios = Object.entries(ours).map(
    ([key, value]) => `${key} ${(value / theirs[key as keyof Result]).toFixed(2)}`,
  );
  console.log('ratio   ', ratios.join(' · '));
}

try {
  const origin = await start('origin.ts');
  const startEdge = async (...args: number[]) => {
    const edge = await start('edge.ts', ...args);
    await start('connector.ts', edge.said.connectorPort ?? 0, origin.said.port ?? 0);
    return edge;
  };
  const edge = await startEdge();
  // The same edge without its look at connectors' frames.
  const unguarded = await startEdge(0);
  const nginx = await startNginx(origin.said.port ?? 0);
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`round ${round} (MB/s; “alone”: one request at a time, median ms)`);
    const ours = await measure(edge.said.port ?? 0, [edge.pid]);
    show('edge', ours);
    console.log(`         edge's memory ${memory(edge.pid).toFixed(0)} MiB`);
    const bare = await measure(unguarded.said.port ?? 0, [unguarded.pid]);
    show('no look', bare);
    ratio(ours, bare);
    if (!nginx) continue;
    const theirs = await measure(nginx.port, nginx.pids);
    show('nginx', theirs);
    ratio(ours, theirs);
  }
  if (!nginx) console.log('nginx is not installed: nothing to compare with');
} finally {
  for (const child of children.reverse()) child.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}
