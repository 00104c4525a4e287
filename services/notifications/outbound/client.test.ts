import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { serverCertificates } from '@talpa/test-kit/certificate';
import { startNameServer } from '@talpa/test-kit/name-server';
import { startReceiver } from '@talpa/test-kit/receiver';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { isPublic, readRanges } from './addresses.ts';
import { createOutbound, outboundTotalMs } from './client.ts';

const receiver = await startReceiver();
const elsewhere = await startReceiver('127.0.0.2');
const names = await startNameServer({
  'private.example.com': [['127.0.0.1']],
  'half.example.com': [['127.0.0.2', '127.0.0.1']],
  'rebinding.example.com': [['127.0.0.2'], ['127.0.0.1']],
});
afterAll(async () => {
  names.stop();
  await Promise.all([receiver.stop(), elsewhere.stop()]);
});
beforeEach(() => {
  receiver.received.length = 0;
  elsewhere.received.length = 0;
  receiver.answer((response) => void response.writeHead(204).end());
});

const servers = [names.server];
const closed = createOutbound([], { servers });
const open = createOutbound(readRanges(['127.0.0.1/32']), { servers, totalMs: 1_000 });
const openElsewhere = createOutbound(readRanges(['127.0.0.2/32']), { servers });
const to = (url: string) => ({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' });

describe('a request of ours', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '100::1',
    '2001::a00:1',
    '2001:db8::1',
    '2002:a00:1::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    // Nobody has been given these yet.
    '4000::1',
    'ff02::1',
    'example.com',
    '',
  ])('takes %j for no address of the public Internet', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each(['8.8.8.8', '9.9.9.9', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])(
    'takes %s for one',
    (address) => expect(isPublic(address)).toBe(true),
  );

  it.each([
    'https://127.0.0.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://2130706433',
    'https://0x7f.1',
    'https://017700000001',
    'https://127.1',
    'https://169.254.169.254/latest/meta-data',
  ])('never reaches %s', async (url) => {
    const { port } = receiver;
    const result = await closed(to(url.replace(/^(https:\/\/[^/]+)/, `$1:${port}`)));
    expect(result).toMatchObject({ status: null, failure: 'address_not_allowed', isUncertain: false });
    expect(receiver.received).toEqual([]);
  });

  it('never reaches a private address behind a public name', async () => {
    const result = await closed(to(`https://private.example.com:${receiver.port}/hook`));
    expect(result).toMatchObject({ status: null, failure: 'address_not_allowed', isUncertain: false });
    expect(receiver.received).toEqual([]);
  });

  it('reaches no server with one private address among others', async () => {
    const result = await openElsewhere(to(`http://half.example.com:${receiver.port}/hook`));
    expect(result.failure).toBe('address_not_allowed');
  });

  it('goes to the address that was checked when the name has another one the next moment', async () => {
    // Both have a server at this port, or the wrong one would not be noticed.
    const twin = await startReceiver('127.0.0.2');
    const result = await openElsewhere(to(`http://rebinding.example.com:${twin.port}/hook`));
    expect(result).toMatchObject({ status: 204 });
    expect(twin.received).toHaveLength(1);
    expect(names.asked.filter((name) => name === 'rebinding.example.com')).toHaveLength(1);
    await twin.stop();
  });

  it('says when a name does not exist', async () => {
    expect((await closed(to('https://nowhere.example.com/hook'))).failure).toBe('name_not_found');
  });

  it('reaches an opened range, by plain HTTP too', async () => {
    expect(await open(to(receiver.url))).toMatchObject({ status: 204, failure: null });
    expect(receiver.received).toMatchObject([{ path: '/hook', body: '{"a":1}' }]);
    // Nothing else is reached by it.
    expect((await openElsewhere(to(receiver.url))).failure).toBe('address_not_allowed');
    expect((await closed(to('http://8.8.8.8/'))).failure).toBe('https_required');
  });

  it('goes to no port of mail servers', async () => {
    for (const port of [25, 587, 1_023])
      expect((await open(to(`http://127.0.0.1:${port}/`))).failure).toBe('port_not_allowed');
  });

  it('follows no redirect', async () => {
    receiver.answer((response) => void response.writeHead(302, { location: elsewhere.url }).end());
    expect(await open(to(receiver.url))).toMatchObject({ status: 302 });
    expect([receiver.received.length, elsewhere.received.length]).toEqual([1, 0]);
  });

  it('reads no more than 64 kB of an answer without end', async () => {
    let written = 0;
    receiver.answer((response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && written < 1_000_000_000) {
          written += 65_536;
          if (!response.write(Buffer.alloc(65_536, 'x'))) return void response.once('drain', write);
        }
      };
      write();
    });
    const result = await open(to(receiver.url));
    expect(result).toMatchObject({ status: 200, text: 'x'.repeat(1_024) });
    // What the sockets hold on both sides comes on top.
    expect(written).toBeLessThan(20_000_000);
  });

  it('waits no longer than it may, and knows that the receiver may have it', async () => {
    expect(outboundTotalMs).toBe(10_000);
    receiver.answer(() => {});
    expect(await open(to(receiver.url))).toMatchObject({ failure: 'timeout', isUncertain: true });
  });

  it('counts the status although the body hangs or breaks off', async () => {
    receiver.answer((response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half', () => response.destroy());
    });
    expect(await open(to(receiver.url))).toMatchObject({ status: 200 });
    receiver.answer((response) => void response.writeHead(200).write('half'));
    expect(await open(to(receiver.url))).toMatchObject({ status: 200, text: 'half' });
  });

  it('may have arrived when the connection is closed after it', async () => {
    receiver.answer((response) => response.destroy());
    expect(await open(to(receiver.url))).toMatchObject({ failure: 'connection', isUncertain: true });
  });

  it('is not sent to a server whose certificate is for another name', async () => {
    const { cert, key } = serverCertificates.valid;
    const known = getCACertificates('default');
    const server = createServer({ cert, key }, (_request, response) => void response.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect((await open(to(`https://127.0.0.1:${port}/`))).failure).toBe('certificate');
    setDefaultCACertificates([...known, cert]);
    expect((await open(to(`https://private.example.com:${port}/`))).failure).toBe('certificate');
    expect(await open(to(`https://127.0.0.1:${port}/`))).toMatchObject({ status: 200 });
    setDefaultCACertificates(known);
    server.close();
  });
});
