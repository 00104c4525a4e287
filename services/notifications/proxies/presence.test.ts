import type { EventOf } from '@talpa/contracts';
import { proxySnapshot } from '@talpa/test-kit/snapshots';
import { describe, expect, it } from 'vitest';
import { type Presence, presenceAfter } from './presence.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 12, minute));
const tunnelId = '7f1f1a0e-0000-4000-8000-000000000001';
const after = (before: Presence | undefined, changes: Partial<EventOf<'proxy'>>) =>
  presenceAfter(
    proxySnapshot(1, { tunnelId, status: 'active', changedAt: at(30).toISOString(), ...changes }),
    before,
  );

const fresh = { isConnected: true, tunnelId, awaySince: null, lostNotifiedAt: null, backAt: null };
const absent = { ...fresh, isConnected: false };
const away = { ...absent, awaySince: at(10) };
const lostNotified = { ...away, lostNotifiedAt: at(12) };
const back = { ...lostNotified, isConnected: true, backAt: at(20) };

describe('a connector', () => {
  it.each([
    ['that is seen for the first time is not away', undefined, absent],
    ['that was connected is away since the change', fresh, { ...absent, awaySince: at(30) }],
    ['that was never there is not away', absent, absent],
    ['that is away stays so since the same time', away, away],
    ['whose absence was notified stays so since the same time', lostNotified, lostNotified],
    ['that goes again before its return was notified has been away all the time', back, lostNotified],
  ])('%s when there is none', (_which, before, expected) => {
    expect(after(before, { status: 'inactive' })).toEqual(expected);
  });

  it.each([
    ['that is seen for the first time is there', undefined, fresh],
    ['whose absence was not notified was never away', away, fresh],
    ['whose absence was notified is back since the change', lostNotified, { ...back, backAt: at(30) }],
    ['that is back stays so since the same time', back, back],
  ])('%s when it is connected', (_which, before, expected) => {
    expect(after(before, {})).toEqual(expected);
  });

  it.each<[string, Partial<EventOf<'proxy'>>]>([
    ['deletion', { deleted: true }],
    ['suspension', { suspension: { reason: 'Spam', since: at(30).toISOString() } }],
    ['new tunnel', { tunnelId: 'another' }],
  ])('is not away because of a %s', (_what, changes) => {
    const expected = { ...absent, tunnelId: changes.tunnelId ?? tunnelId };
    for (const before of [fresh, lostNotified])
      expect(after(before, { status: 'inactive', ...changes })).toEqual(expected);
  });

  it('comes and goes while its proxy is paused; what is away then is so since the proxy was resumed', () => {
    for (const [before, isKnown] of [
      [fresh, true],
      [away, true],
      [lostNotified, true],
      [absent, false],
    ] as const) {
      const paused = after(before, { status: 'inactive', paused: true });
      expect(paused).toEqual({ ...fresh, isConnected: isKnown });
      const resumed = after(paused, { status: 'inactive', paused: false });
      expect(resumed).toEqual(isKnown ? { ...absent, awaySince: at(30) } : absent);
      expect(after(paused, { paused: false })).toEqual(fresh);
    }
  });

  it.each(['pending', 'error'] as const)('is not away while its proxy is %s', (status) => {
    expect(after(fresh, { status })).toEqual(absent);
  });

  it('is not away, or back, before that happens: clocks differ', () => {
    const changedAt = new Date(Date.now() + 3_600_000).toISOString();
    const gone = after(fresh, { status: 'inactive', changedAt });
    const returned = after(lostNotified, { changedAt });
    for (const since of [gone.awaySince, returned.backAt])
      expect(since?.getTime()).toBeLessThanOrEqual(Date.now());
  });
});
