import { expect, it } from 'vitest';
import type { Entry } from './entry.ts';
import { routes } from './routes.ts';

/** What one or the other field takes. */
const samples = ['abc', 'abc.de', '127.0.0.1', 'a@b.de', '7', '00000000-0000-4000-8000-000000000000'];
/** A password is only hashed; what keeps a browser from caching a ping is never read. */
const harmless = /password|^nocache$/i;

it.each(Object.entries(routes))(
  '%s takes no text with a character the database cannot hold',
  (_name, { input }) => {
    const takesIt = Object.entries(input.shape).filter(([field, schema]) => {
      const taken = samples.filter((text) => schema.safeParse(text).success);
      return !harmless.test(field) && taken.some((text) => schema.safeParse(`${text}\0${text}`).success);
    });
    expect(takesIt.map(([field]) => field)).toEqual([]);
  },
);

it('leaves open to users without a required second factor only what setting one up takes', () => {
  const open = Object.entries<Entry>(routes).filter(([, entry]) => entry.withoutFactor);
  expect(open.map(([name]) => name).sort()).toEqual([
    'GET /api/events',
    'GET /api/user',
    'GET /api/user/passkeys',
    'GET /api/user/preferences',
    'GET /api/user/second-factor',
    'POST /api/user/authenticator',
    'POST /api/user/authenticator/confirmation',
    'POST /api/user/passkeys',
    'POST /api/user/passkeys/challenge',
    'POST /api/user/step-up',
    'POST /api/user/step-up/challenge',
  ]);
});

it('asks for a step-up only where the gateway looks at the session first', () => {
  const entries = Object.entries<Entry>(routes).filter(([, { stepUp }]) => stepUp);
  expect(entries).not.toEqual([]);
  expect(entries.filter(([, { access, cached }]) => access === 'public' || cached)).toEqual([]);
});
