import { readSettings } from '@talpa/service-kit/settings';
import { expect, it, vi } from 'vitest';
import { edgeMeter } from '../metrics.ts';
import { createLimits, isLongLived, isSocketIoPolling } from './limits.ts';

const defaults = readSettings(
  [
    'EDGE_CONCURRENT_LIMIT',
    'EDGE_LONG_LIVED_LIMIT',
    'EDGE_REQUEST_LIMIT_PER_MINUTE',
    'EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE',
    'EDGE_MUTATION_LIMIT_PER_MINUTE',
    'EDGE_SIGN_IN_LIMIT_PER_15_MINUTES',
    'EDGE_BODY_LIMIT_BYTES',
  ],
  {},
);
const request = { proxyId: 'p1', address: '1.2.3.4', method: 'GET', path: '/', length: undefined };

/** Limits at their defaults with a clock that the test moves. */
function limitsAt(settings = {}) {
  const clock = { ms: 1_000_000 };
  const limits = createLimits({ ...defaults, ...settings }, () => clock.ms);
  const ask = (changes = {}) => {
    const refusal = limits.enter({ ...request, ...changes });
    if (!refusal) limits.leave({ ...request, ...changes });
    return refusal?.code ?? 'passes';
  };
  const count = (tries: number, changes = {}) =>
    Array.from({ length: tries }, () => ask(changes)).filter((response) => response === 'passes').length;
  return { clock, limits, ask, count };
}

const polling = '/socket.io/?EIO=4&transport=polling&t=abc&sid=Xy_1';

it('gives one address 600 pages of the edge a minute, and each other address its own', () => {
  const { clock, limits } = limitsAt();
  const pages = (address: string) =>
    Array.from({ length: 1_000 }, () => limits.mayGetPage(address)).filter((may) => may).length;
  expect([pages('1.2.3.4'), pages('1.2.3.4'), pages('5.6.7.8')]).toEqual([600, 0, 600]);
  expect([pages('2001:db8::1'), pages('2001:db8::2')]).toEqual([600, 0]);
  clock.ms += 30_000;
  expect(pages('1.2.3.4')).toBe(300);
});

it('lets txAdmin’s live console through at 2 300 requests a minute, its POSTs included', () => {
  const { clock, ask } = limitsAt();
  for (let index = 0; index < 2_300 * 5; index += 1) {
    clock.ms += 60_000 / 2_300;
    const method = index % 3 === 0 ? 'POST' : 'GET';
    expect(ask({ method, path: polling })).toBe('passes');
  }
});

it('stops sign-in attempts of one visitor before txAdmin locks all out after ten', () => {
  const { clock, count, ask } = limitsAt();
  const signIn = { method: 'POST', path: '/auth/password?uiVersion=8' };
  expect(count(50, signIn)).toBe(defaults.EDGE_SIGN_IN_LIMIT_PER_15_MINUTES);
  expect(defaults.EDGE_SIGN_IN_LIMIT_PER_15_MINUTES).toBeLessThan(10);
  expect(ask({ ...signIn, address: '5.6.7.8' })).toBe('passes');
  expect(ask({ ...signIn, proxyId: 'p2' })).toBe('passes');
  expect(ask()).toBe('passes');
  clock.ms += 15 * 60_000;
  expect(count(50, signIn)).toBe(defaults.EDGE_SIGN_IN_LIMIT_PER_15_MINUTES);
});

it('lets one visitor ask a third of the tunnel’s requests a minute, where nothing else is set', () => {
  const { count } = limitsAt();
  expect(count(defaults.EDGE_REQUEST_LIMIT_PER_MINUTE)).toBe(
    Math.floor(defaults.EDGE_REQUEST_LIMIT_PER_MINUTE / 3),
  );
});

it('stops one visitor’s changes, not their reads and not the changes of others', () => {
  const { clock, count, limits, ask } = limitsAt();
  expect(count(500, { method: 'PUT' })).toBe(defaults.EDGE_MUTATION_LIMIT_PER_MINUTE);
  expect(limits.enter({ ...request, method: 'DELETE' })).toEqual({
    code: 'too_many_requests',
    limit: 'mutations',
    seconds: 1,
  });
  expect(ask()).toBe('passes');
  expect(ask({ method: 'PUT', address: '1.2.3.5' })).toBe('passes');
  clock.ms += 30_000;
  expect(count(500, { method: 'POST' })).toBe(defaults.EDGE_MUTATION_LIMIT_PER_MINUTE / 2);
});

it('refuses a change beyond the limit of all requests too', () => {
  const { ask } = limitsAt({ EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: 1 });
  expect([ask({ method: 'POST' }), ask({ method: 'POST' })]).toEqual(['passes', 'too_many_requests']);
});

it('keeps one tunnel’s flood away from the others, by rate and by number', () => {
  const { count, ask, limits } = limitsAt({ EDGE_REQUEST_LIMIT_PER_MINUTE: 100, EDGE_CONCURRENT_LIMIT: 3 });
  expect(count(1_000)).toBe(100);
  expect(ask({ proxyId: 'p2' })).toBe('passes');
  const proxy3 = { ...request, proxyId: 'p3' };
  const results = [1, 2, 3, 4].map((one) => limits.enter({ ...proxy3, address: `1.2.3.${one}` })?.code);
  expect(results).toEqual([undefined, undefined, undefined, 'too_many_requests']);
  expect(ask({ proxyId: 'p2' })).toBe('passes');
  limits.leave({ ...proxy3, address: '1.2.3.1' });
  expect(limits.enter(proxy3)).toBeNull();
});

it('stops one visitor’s flood before it uses up what the tunnel may, a whole /64 as one', () => {
  const settings = { EDGE_REQUEST_LIMIT_PER_MINUTE: 1_000, EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: 300 };
  const { clock, count, limits, ask } = limitsAt(settings);
  expect(count(2_000)).toBe(300);
  expect(limits.enter(request)).toEqual({ code: 'too_many_requests', limit: 'visitor', seconds: 1 });
  const flood = Array.from({ length: 500 }, (_, index) =>
    ask({ address: `2001:db8:0:1::${index.toString(16)}` }),
  );
  expect(flood.filter((response) => response === 'passes')).toHaveLength(300);
  // What was refused has used up nothing of the tunnel's.
  expect(count(1_000, { address: '5.6.7.8' })).toBe(300);
  expect(count(1_000, { address: '5.6.7.9' })).toBe(100);
  expect(ask({ proxyId: 'p2' })).toBe('passes');
  clock.ms += 30_000;
  expect(count(1_000)).toBe(150);
});

it('counts what stays open apart from ordinary requests, each shared fairly', () => {
  const { limits } = limitsAt({ EDGE_CONCURRENT_LIMIT: 8, EDGE_LONG_LIVED_LIMIT: 4 });
  const take = (address: string, longLived: boolean) => {
    let taken = 0;
    while (taken < 100 && !limits.enter({ ...request, address, longLived })) taken += 1;
    return taken;
  };
  expect([take('1.1.1.1', true), take('2001:db8::1', true), take('2001:db8::2', true)]).toEqual([2, 1, 0]);
  expect([take('1.1.1.1', false), take('2.2.2.2', false)]).toEqual([4, 2]);
  limits.leave({ ...request, address: '1.1.1.1', longLived: true });
  expect(take('3.3.3.3', true)).toBe(1);
});

it('counts a request that has run for long as long-lived, if that limit has room', () => {
  const { limits } = limitsAt({ EDGE_CONCURRENT_LIMIT: 4, EDGE_LONG_LIVED_LIMIT: 2 });
  const refusals = () => [0, 1, 2].map(() => limits.enter(request)?.code ?? 'passes');
  expect(refusals()).toEqual(['passes', 'passes', 'too_many_requests']);
  expect([limits.becomeLongLived(request), limits.becomeLongLived(request)]).toEqual([true, false]);
  expect(refusals()).toEqual(['passes', 'too_many_requests', 'too_many_requests']);
  limits.leave({ ...request, longLived: true });
  expect(limits.becomeLongLived(request)).toBe(true);
});

it.each([
  ['GET', '/ws', undefined, true, true],
  ['GET', '/events', 'text/event-stream', false, true],
  ['GET', polling, '*/*', false, true],
  ['POST', polling, '*/*', false, false],
  ['GET', '/', 'text/html', false, false],
  ['GET', '/', undefined, false, false],
  ['GET', '/events', 'Text/Event-Stream, */*', false, true],
  ['POST', '/events', 'text/event-stream', false, false],
] as const)(
  '%s %s (accepts %s, upgrades %s) is long-lived: %s',
  (method, path, accept, upgrades, expected) => {
    expect(isLongLived(method, path, accept, upgrades)).toBe(expected);
  },
);

it('lets no visitor address have all concurrent requests of a tunnel: the next visitor’s passes', () => {
  const { limits } = limitsAt({ EDGE_CONCURRENT_LIMIT: 256 });
  const take = (address: string) => {
    let taken = 0;
    while (taken < 1_000 && !limits.enter({ ...request, address })) taken += 1;
    return taken;
  };
  expect(take('1.1.1.1')).toBe(128);
  for (let index = 0; index < 100; index += 1) limits.enter({ ...request, address: `2001:db8::${index}` });
  expect(take('2001:db8::1')).toBe(0);
  expect(take('3.3.3.3')).toBe(32);
  expect(take('4.4.4.4')).toBe(16);
  limits.leave({ ...request, address: '1.1.1.1' });
  expect(take('1.1.1.1')).toBe(0);
  expect(take('5.5.5.5')).toBe(9);
});

it.each([
  '/login.php',
  '/%6cogin',
  '/%6C%4Fgin',
  '/LogIn',
  '/users/sign_in',
  '/auth%2Fpassword',
  '/login;jsessionid=1',
  '/index.php?page=login&x=1',
  '/login.php/socket.io/?transport=polling&sid=1',
  '/index.php/socket.io/?page=login&transport=polling&sid=1',
])('counts as a sign-in what a panel takes for one: %s', (path) => {
  const { count } = limitsAt();
  expect(count(50, { method: 'POST', path })).toBe(defaults.EDGE_SIGN_IN_LIMIT_PER_15_MINUTES);
});

it.each(['/blogging', '/login-history', '/passwords', '/api/logins'])(
  'does not take for a sign-in what only sounds like one: %s',
  (path) => {
    const { count } = limitsAt();
    expect(count(50, { method: 'POST', path })).toBe(50);
  },
);

it('refuses a body announced as larger than allowed', () => {
  const { limits } = limitsAt({ EDGE_BODY_LIMIT_BYTES: 1_000 });
  expect(limits.enter({ ...request, length: 1_001 })).toEqual({ code: 'body_too_large', maximum: 1_000 });
  expect(limits.enter({ ...request, length: 1_000 })).toBeNull();
});

it.each([
  [polling, true],
  ['/panel/socket.io?transport=polling&sid=1', true],
  ['/socket.io/?transport=polling', false],
  ['/socket.io/?transport=polling&sid=', false],
  ['/socket.io/../auth/password?transport=polling&sid=1', false],
  ['/auth/password?x=/socket.io/&transport=polling&sid=1', false],
  ['/auth/password#/socket.io/?transport=polling&sid=1', false],
  ['/', false],
  ['/socket.io?transport=polling&sid=1', true],
  ['/a/b/socket.io/?transport=polling&sid=1', true],
  ['/socket.io/?transport=websocket&sid=1', false],
  ['/my-socket.io/?transport=polling&sid=1', false],
  ['/socket.io/x?transport=polling&sid=1', false],
  ['/socketxio/?transport=polling&sid=1', false],
])('takes for an open console what socket.io alone sends: %s', (path, expected) => {
  expect(isSocketIoPolling(path)).toBe(expected);
});

it('says which limit has refused, and for how long', () => {
  const refusedBy = (settings: object, changes: object = {}, before = 1) => {
    const { limits } = limitsAt(settings);
    for (let times = 0; times < before; times += 1) limits.enter({ ...request, ...changes });
    const limited = vi.spyOn(edgeMeter, 'limited').mockClear();
    const refusal = limits.enter({ ...request, ...changes });
    return [limited.mock.calls.flat(), refusal && 'seconds' in refusal ? refusal.seconds : null];
  };
  const change = { method: 'PATCH' };
  expect(refusedBy({}, {}, 0)).toEqual([[], null]);
  expect(refusedBy({ EDGE_VISITOR_REQUEST_LIMIT_PER_MINUTE: 1 })).toEqual([['visitor'], 60]);
  expect(refusedBy({ EDGE_REQUEST_LIMIT_PER_MINUTE: 1 })).toEqual([['requests'], 60]);
  expect(refusedBy({ EDGE_MUTATION_LIMIT_PER_MINUTE: 1 }, change)).toEqual([['mutations'], 60]);
  expect(refusedBy({ EDGE_SIGN_IN_LIMIT_PER_15_MINUTES: 8 }, { method: 'POST', path: '/login' }, 8)).toEqual([
    ['sign_in'],
    113,
  ]);
  expect(refusedBy({ EDGE_CONCURRENT_LIMIT: 0 })).toEqual([['concurrent'], 1]);
  expect(refusedBy({ EDGE_CONCURRENT_LIMIT: 2 })).toEqual([['share'], 1]);
  expect(refusedBy({ EDGE_LONG_LIVED_LIMIT: 0 }, { longLived: true })).toEqual([['long_lived'], 1]);
  expect(refusedBy({ EDGE_BODY_LIMIT_BYTES: 1 }, { length: 2 })).toEqual([['body'], null]);
  // A running request that cannot become long-lived is not refused.
  const { limits } = limitsAt({ EDGE_LONG_LIVED_LIMIT: 0 });
  const limited = vi.spyOn(edgeMeter, 'limited').mockClear();
  expect([limits.enter(request), limits.becomeLongLived(request)]).toEqual([null, false]);
  expect(limited).not.toHaveBeenCalled();
});
