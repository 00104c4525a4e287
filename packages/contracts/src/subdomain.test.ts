import { randomFrom } from '@talpa/test-kit/requests/random';
import { describe, expect, it } from 'vitest';
import { reservedLabels } from './reserved.ts';
import { labelOf, publicUrl, subdomainOf } from './subdomain.ts';

const domain = 'tunnel.example.net';

describe('the derived subdomain', () => {
  it.each([
    ['Mein Server', 'mein-server'],
    ['Größe Straße', 'groesse-strasse'],
    ['ÄÖÜ', 'aeoeue'],
    ['Café Déjà', 'cafe-deja'],
    ['  --x--  ', 'x'],
    ['a_b.c', 'a-b-c'],
    ['ﬁne', 'fine'],
  ])('of %j is the DNS label %j', (name, label) => {
    expect(labelOf(name)).toBe(label);
  });

  it('never exceeds 63 characters nor ends with a hyphen', () => {
    const label = labelOf(`${'a'.repeat(62)} b`);
    expect(label).toBe('a'.repeat(62));
    expect(labelOf('x'.repeat(100))).toHaveLength(63);
  });

  it('asks for a custom one when nothing of the name remains', () => {
    expect(subdomainOf('🎮🎮', null, domain)).toEqual({ problem: 'subdomainEmpty' });
    expect(subdomainOf('مرحبا', null, domain)).toEqual({ problem: 'subdomainEmpty' });
  });
});

describe('a custom subdomain', () => {
  it('wins over the name', () => {
    expect(subdomainOf('Server', 'spiel', domain)).toEqual({ label: 'spiel' });
  });
  it('is reduced to its label when the full host was pasted', () => {
    expect(subdomainOf('Server', 'Spiel.tunnel.example.net', domain)).toEqual({ label: 'spiel' });
  });
  it.each(['a.b', 'https://x', 'x/y', 'x:80', 'spiel.other.net'])('refuses %j', (text) => {
    expect(subdomainOf('Server', text, domain)).toEqual({ problem: 'subdomainInvalid' });
  });
  it('refuses reserved labels, derived ones too', () => {
    expect(subdomainOf('Server', 'www', domain)).toEqual({ problem: 'subdomain_reserved', label: 'www' });
    expect(subdomainOf('Admin', null, domain)).toEqual({ problem: 'subdomain_reserved', label: 'admin' });
  });
});

describe('a label that would mislead visitors', () => {
  it.each([
    ...[
      'anmelden',
      'login',
      'log-in',
      'steam-login',
      'talpa',
      'talpa-login',
      'my-talpa',
      'paypal',
      'paypal-de',
    ],
    ...['www-paypal-com', 'konto-bestaetigen', 'account-check', 'deutsche-bank-tan', 'support-chat', 'ta1pa'],
    ...[
      'adm1n',
      'adrn1n',
      'aclmin',
      'a-d-m-i-n',
      'addmin',
      '4dm1n',
      'adm-ln',
      'payypai-de',
      'pay-pal-de',
      'vvww',
    ],
    ...['5upp0rt-chat', 'suport-chat', 's1gn-1n-x', '60og1e', 'rnai1', 'dashb0ard', 'l0gin-hier'],
    ...['paypa1', '1ogin', 'g00gle', 'arnazon', 'w-w-w', 'ad-min', 'passw0rt-neu'],
    ...['login2', 'paypal-24', 'support99', 'mta-sts'],
  ])('“%s” is reserved', (label) => {
    expect(subdomainOf('Server', label, domain)).toEqual({ problem: 'subdomain_reserved', label });
  });

  it.each([
    ...[
      'mein-server',
      'my-fivem-server',
      'steam-server',
      'minecraft',
      'admin-team',
      'rust-pay2win',
      'loginsel',
    ],
    ...['rot', 'ap', 'mein-root', 'catalog-in-town', 'dh-logistik', 'tower', 'clan-3', 'pub-g', 'all4one'],
    ...['discord-rp', 'apple-tree', 'supporters', 'talparia', 'panel-eins', 'panel2', '2024'],
  ])('“%s” is not', (label) => {
    expect(subdomainOf('Server', label, domain)).toEqual({ label });
  });
});

it('no disguise of a reserved label makes it free: digits, i for l, two letters for one, doubled ones, hyphens, all at once', () => {
  const alike: Readonly<Record<string, readonly string[]>> = {
    ...{
      a: ['4'],
      b: ['8'],
      d: ['cl'],
      e: ['3'],
      g: ['9', '6'],
      i: ['1', 'l'],
      l: ['1', 'i'],
      m: ['rn', 'r-n'],
    },
    ...{ o: ['0'], s: ['5'], t: ['7'], w: ['vv', 'v-v'], z: ['2'] },
  };
  const random = randomFrom(34);
  const disguised = (letter: string) => {
    const written = random.chance(0.4) ? random.pick([letter, ...(alike[letter] ?? [])]) : letter;
    const hyphen = random.chance(0.1) ? '-' : '';
    return `${written}${hyphen}`;
  };
  for (const pattern of reservedLabels)
    for (let count = 0; count < 50; count += 1) {
      const plain = pattern.replace(/^\*|-?\*$/g, '');
      const doubles = plain.length < 6 ? 0 : random.below(3);
      const letters = [...plain].map((letter, at) => (at < doubles ? letter.repeat(2) : letter)).join('');
      const label = [...letters].map(disguised).join('').replace(/-+/g, '-').replace(/-$/, '').slice(0, 63);
      expect(subdomainOf('Server', label, domain), `${label} for ${pattern}`).toMatchObject({
        problem: 'subdomain_reserved',
      });
    }
});

describe('the public address', () => {
  it('leaves out the ports that go without saying', () => {
    expect(publicUrl({ cfDomain: 'x.d', proxyPort: 443 })).toBe('https://x.d');
    expect(publicUrl({ cfDomain: 'x.d', proxyPort: 80 })).toBe('http://x.d');
    expect(publicUrl({ cfDomain: 'x.d', proxyPort: 8081 })).toBe('http://x.d:8081');
  });
});
