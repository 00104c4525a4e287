import { expect, it } from 'vitest';
import { knownSettings } from '../settings.ts';
import { nearNames } from './near-names.ts';

const known = Object.keys(knownSettings);

it.each([
  ['TUNEL_DOMAIN', 'TUNNEL_DOMAIN'],
  ['PROT', 'PORT'],
  ['public_url', 'PUBLIC_URL'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['ACME_MAIL', 'ACME_EMAIL'],
])('%s is nearly %s', (name, meant) => {
  expect(nearNames([name], known)).toEqual([{ name, meant }]);
});

it('what systems and shells set is near to no setting, and no setting is near to another', () => {
  const usual =
    'HOME HOSTNAME PATH PWD USER LANG TERM SHELL TZ SHLVL LOGNAME EDITOR PAGER MAIL NODE_ENV npm_config_cache DISPLAY HOSTTYPE';
  expect(nearNames([...usual.split(' '), ...known], known)).toEqual([]);
});
