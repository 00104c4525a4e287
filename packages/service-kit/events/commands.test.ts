import type { JsMsg } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { readCommand } from './commands.ts';

const read = (text: string) =>
  readCommand(
    { subject: 'command.x', string: () => text } as JsMsg,
    'proxies.endVisits',
    createLog('proxies', 'fatal'),
  );
const known = { userId: 1, sessionId: null, except: null, at: '2026-01-01T00:00:00.000Z' };

it('a command that only a newer version can read waits for it, and what is none is dropped', () => {
  expect(read(JSON.stringify(known))).toEqual(known);
  expect(() => read(JSON.stringify({ ...known, sessionId: { of: 'a newer version' } }))).toThrow();
  for (const text of ['', '{"userId":', '[null]', '"x"', JSON.stringify({ ...known, at: 'a\0b' })])
    expect(read(text), text).toBeNull();
});
