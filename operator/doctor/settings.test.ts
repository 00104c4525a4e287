import { doctorWords } from '@talpa/contracts';
import { expect, it } from 'vitest';
import { checkSettings } from './settings.ts';

it('a name that is nearly a setting, and a value that does not fit, are found', () => {
  const said = (outside: NodeJS.ProcessEnv) =>
    checkSettings(outside).map((one) => {
      const { text, advice } = doctorWords(one, 'en');
      return `${one.state}: ${text} ${advice}`;
    });
  expect(said({ TUNEL_DOMAIN: 'a.example', PORT: 'abc' })).toEqual([
    expect.stringMatching(/^warning: TUNEL_DOMAIN .* TUNNEL_DOMAIN\?$/),
    expect.stringMatching(/^failed: .*PORT/),
  ]);
  expect(said({ PUBLIC_URL: 'https://panel.example.com' })).toEqual([expect.stringMatching(/^ok: /)]);
});
