import { connect } from 'node:net';
import { responseHead } from '@talpa/test-kit/tunnel-connection';
import { host, useVisitorSide } from '@talpa/test-kit/visitor-side';
import { until } from '@talpa/test-kit/wait';
import { beforeEach, expect, it } from 'vitest';
import { createRunning, type Running } from './running.ts';

const test = useVisitorSide();
beforeEach(async () => {
  const connection = await test.connect();
  connection.onStream = (stream) => {
    stream.respond(responseHead(200, []));
    const chunk = Buffer.alloc(65_536);
    const fill = () => {
      while (!stream.destroyed && stream.write(chunk));
    };
    stream.on('drain', fill);
    fill();
  };
});

it('cuts a visitor who takes nothing of the response for a minute, and nobody who takes it', async () => {
  const still = connect(test.port, '127.0.0.1');
  still.pause();
  still.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  let sent = -1;
  await until('that it stands still', () => {
    const before = sent;
    sent = test.traffic.of('p1').bytesOut;
    return sent > 0 && sent === before;
  });
  const reader = connect(test.port, '127.0.0.1');
  let read = 0;
  reader.on('data', (data) => {
    read += data.length;
  });
  reader.on('error', () => {});
  reader.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await until('that the other one reads', () => read > 1_000_000);
  expect(test.side.running()).toBe(2);
  test.side.sweep(performance.now() + 55_000 - 5_000);
  expect(test.side.running()).toBe(2);
  reader.destroy();
  await until('that the reader has gone', () => test.side.running() === 1);
  test.side.sweep(performance.now() + 61_000);
  await until('that nothing runs', () => test.side.running() === 0);
  still.destroy();
});

/** So many responses that have not been taken since then. */
function stalledSet(count: number, addressOf: (index: number) => string, proxyId = 'p1') {
  const cut: number[] = [];
  const running = createRunning({ EDGE_RESPONSE_TIMEOUT_MS: 1_000_000, EDGE_IDLE_TIMEOUT_MS: 1_000_000 });
  for (let index = 0; index < count; index += 1) {
    const one: Running = {
      lastActivity: 0,
      hasResponded: true,
      stalledSince: index,
      address: addressOf(index),
      proxyId,
      tunnelId: 't1',
      begunAt: 0,
      ...{
        hostname: 'a.example',
        gate: undefined,
        isAllowedBy: async () => true,
        mustLeave: () => false,
        deny: () => {},
        suspend: () => {},
        pause: () => {},
      },
      ranLong: () => {},
      giveUp: () => {
        cut.push(index);
        running.remove(one);
      },
    };
    running.add(one);
  }
  return { running, cut };
}

it('lets one visitor keep few responses waiting, one tunnel not many more, and drops the oldest', () => {
  const one = stalledSet(20, () => '1.2.3.4');
  one.running.sweep(9_000);
  expect(one.cut).toEqual([]);
  one.running.sweep(11_000);
  expect(one.cut.sort()).toEqual([0, 1, 2, 3]);
  const many = stalledSet(100, (index) => `1.2.3.${index}`);
  many.running.sweep(11_000);
  expect(many.running.count()).toBe(64);
  many.running.sweep(59_000);
  expect(many.running.count()).toBe(64);
  many.running.sweep(61_000);
  expect(many.running.count()).toBe(0);
});
