import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  doctorChecks,
  doctorSayings,
  edgeErrors,
  messageTexts,
  notificationTexts,
  providerFaultTexts,
} from '@talpa/contracts';
import { errors } from '@talpa/contracts/errors';
import { issueTexts } from '@talpa/contracts/issues';
import type { Language, Text } from '@talpa/contracts/language';
import { describe, expect, it, vi } from 'vitest';
import { statusTexts } from '../packages/panel-kit/core/api/status-text.ts';
import { i18n } from '../packages/panel-kit/core/texts/language.ts';
import type { Pages } from '../packages/panel-kit/pages.ts';
import { frame } from '../services/notifications/templates/frame-texts.ts';
import { mailTexts } from '../services/notifications/templates/texts.ts';
import { pages as adminPages } from './admin/src/pages.ts';
import { root, sourcesBelow, textParts } from './source-files.ts';
import { faultsIn, type Speaker, textRules } from './text-rules.ts';
import { pages as userPages } from './user/src/pages.ts';

/** Texts that read the same in both languages, each with the reason why that is right. */
const equalOnPurpose: Readonly<Record<string, string>> = {
  Connector: 'the program’s name',
  'Connector {number}': 'the program’s name',
  Docker: 'a product’s name',
  '(HTTP {status})': 'a protocol’s name',
  PayPal: 'a product’s name',
  'Debian, Ubuntu': 'names of systems',
  'RPM (Fedora, RHEL)': 'names of systems',
  PIN: 'the same word',
  RCON: 'a name',
  'Minecraft (Java)': 'a name',
  Pterodactyl: 'a product’s name',
  txAdmin: 'a product’s name',
  Passkey: 'the same word',
  Passkeys: 'the same word',
  Webhook: 'the same word',
  Discord: 'a product’s name',
  ntfy: 'a product’s name',
  Telegram: 'a product’s name',
  '{ago}: {why}': 'two values',
  Server: 'the same word',
  Online: 'the same word',
  Token: 'the same word',
  Proxy: 'the same word',
  Version: 'the same word',
  Name: 'the same word',
  Plan: 'the same word',
  Upgrade: 'the same word',
  Downgrade: 'the same word',
  Status: 'the same word',
  System: 'the same word',
  Domain: 'the same word',
  Domains: 'the same word',
  '{ms} ms': 'a unit',
  '{s} s': 'a unit',
  Chrome: 'a product’s name',
  Edge: 'a product’s name',
  Firefox: 'a product’s name',
  Safari: 'a product’s name',
  Bot: 'the same word',
  Details: 'the same word',
  'Talpa {version}': 'the product’s name',
};

const parts = await textParts();
const paramsOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
/** The faults of all texts, each after its key. */
const faultsOf = (texts: Readonly<Record<string, string>>, language: Language, speaker: Speaker) =>
  Object.entries(texts).flatMap(([key, text]) =>
    faultsIn(text, language, speaker).map((fault) => `${key}: ${fault}`),
  );

it('there are texts at all places that show some', () => {
  expect(parts.map(({ folder }) => folder).sort()).toEqual(
    expect.arrayContaining(['frontends/admin/src', 'frontends/shell/src', 'frontends/user/src']),
  );
});

/** Nouns that have another form beside 1, and the numbers that are constants above it. */
const counted =
  /\{(\w+)\} (Proxys?|Tagen?|Stunden?|Minuten?|Sekunden?|Sitzung(?:en)?|Eintr[aä]ge?n?|Zeichen|prox(?:y|ies)|days?|hours?|minutes?|seconds?|sessions?|entr(?:y|ies)|users?|characters?)\b/g;
const alwaysMore = ['minimum', 'maximum', 'days'];
/** Numbers beside a noun whose form they do not choose. */
const withoutForm = (key: string, text: string) =>
  [...text.matchAll(counted)].filter(
    ([, name = '']) => !alwaysMore.includes(name) && !(name === 'count' && /_(one|other)$/.test(key)),
  );

describe.each(parts)('the texts of $folder', ({ folder, de, en }) => {
  it('have the same keys and parameters in both languages, and none is empty', () => {
    const english = en ?? de;
    expect(Object.keys(english).sort()).toEqual(Object.keys(de).sort());
    for (const [key, text] of Object.entries(de)) {
      expect(text.trim(), key).not.toBe('');
      expect(english[key]?.trim(), key).not.toBe('');
      expect(paramsOf(english[key] ?? ''), key).toEqual(paramsOf(text));
    }
  });

  it('have a form for one wherever a number stands beside a noun', () => {
    const keys = Object.keys(de);
    for (const [key, text] of [...Object.entries(de), ...Object.entries(en ?? {})]) {
      expect(withoutForm(key, text), key).toEqual([]);
      if (key.endsWith('_one')) expect(keys).toContain(key.replace(/_one$/, '_other'));
      if (key.endsWith('_other')) expect(keys).toContain(key.replace(/_other$/, '_one'));
    }
  });

  it('say each count in its form', () => {
    for (const [language, texts] of [
      ['de', de],
      ['en', en ?? {}],
    ] as const) {
      i18n.addResourceBundle(language, folder, texts);
      const t = i18n.getFixedT(language, folder);
      for (const key of Object.keys(texts).filter((one) => one.endsWith('_other'))) {
        const base = key.replace(/_other$/, '');
        const say = (count: number) => t(base, { count, limit: count });
        expect(say(1), key).toBe(texts[`${base}_one`]?.replaceAll(/\{(count|limit)\}/g, '1'));
        for (const many of [0, 2])
          expect(say(many), key).toBe(texts[key]?.replaceAll(/\{(count|limit)\}/g, String(many)));
      }
    }
  });

  it('are all used', () => {
    const code = sourcesBelow(folder)
      .map((source) => source.code)
      .join('\n');
    // t(`status.${…}`) uses every key with that beginning.
    const beginnings = [...code.matchAll(/`([\w.]+\.)\$\{/g)].map(([, beginning]) => beginning ?? '');
    const isUsed = (key: string) =>
      code.includes(`'${key}'`) || beginnings.some((beginning) => key.startsWith(beginning));
    const keys = Object.keys(de).map((key) => key.replace(/_(one|other)$/, ''));
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });

  it('differ between the languages, but where both say the same', () => {
    const equal = Object.entries(de).filter(([key, text]) => en?.[key] === text && !(text in equalOnPurpose));
    expect(equal).toEqual([]);
  });

  it('follow the rules for texts', () => {
    expect([...faultsOf(de, 'de', 'panel'), ...faultsOf(en ?? {}, 'en', 'panel')]).toEqual([]);
  });
});

/** What the doctor says and advises, by the name of the saying. */
const doctors: Readonly<Record<string, Text>> = {
  ...doctorChecks,
  ...Object.fromEntries(
    Object.entries(doctorSayings).flatMap(([says, saying]) => [
      [says, saying],
      ...('advice' in saying ? [[`${says}.advice`, saying.advice] as const] : []),
    ]),
  ),
};

/** What the server, the edge, emails and notifications say to people: `code` or `code.title`, in both languages. */
const spoken: Readonly<Record<string, Text>> = {
  ...errors,
  ...issueTexts,
  ...messageTexts,
  ...statusTexts,
  ...providerFaultTexts,
  ...doctors,
  ...Object.fromEntries(
    Object.entries(edgeErrors).flatMap(([code, { title, text }]) => [
      [`${code}.title`, title],
      [`${code}.text`, text],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(frame.de).map(([key, de]) => [key, { de, en: frame.en[key as keyof typeof frame.en] }]),
  ),
  ...Object.fromEntries(
    Object.entries(notificationTexts)
      // Administrators write what an announcement says.
      .filter(([kind]) => kind !== 'announcement')
      .flatMap(([kind, { de, en }]) => [
        [`${kind}.title`, { de: de.title, en: en.title }],
        [`${kind}.text`, { de: de.text, en: en.text }],
      ]),
  ),
  ...Object.fromEntries(
    Object.entries(mailTexts).flatMap(([kind, { de, en }]) => [
      [`${kind}.subject`, { de: de.subject, en: en.subject }],
      [`${kind}.text`, { de: de.paragraphs.join('\n'), en: en.paragraphs.join('\n') }],
      [`${kind}.link`, { de: de.link?.label ?? 'kein Link', en: en.link?.label ?? 'no link' }],
    ]),
  ),
};

it('what the server and the edge say is in both languages, and follows the rules for texts', () => {
  for (const [key, { de, en }] of Object.entries(spoken)) {
    const faults = [...faultsOf({ [key]: de }, 'de', 'others'), ...faultsOf({ [key]: en }, 'en', 'others')];
    expect(faults).toEqual([]);
    expect(de, key).not.toBe(en);
    expect(paramsOf(en), key).toEqual(paramsOf(de));
    expect([...withoutForm(key, de), ...withoutForm(key, en)], key).toEqual([]);
  }
});

it('only administrators read the names of settings', () => {
  const texts = [
    ...Object.entries(spoken).filter(([key]) => !(key in providerFaultTexts) && !(key in doctors)),
    ...parts
      .filter(({ folder }) => !folder.startsWith('frontends/admin/'))
      .flatMap(({ folder, de, en }) =>
        Object.entries(de).map(
          ([key, text]) => [`${folder} ${key}`, { de: text, en: en?.[key] ?? '' }] as const,
        ),
      ),
  ];
  expect(texts.filter(([, { de, en }]) => /\b[A-Z]{2,}_[A-Z_]+\b/.test(de + en))).toEqual([]);
});

it('the titles, subtitles and menu entries of all pages follow the rules for texts', () => {
  const pages: Pages = { ...userPages, ...adminPages };
  for (const { path, title, heading, subtitle, menu } of Object.values(pages))
    for (const text of [title, heading ?? {}, subtitle ?? {}, menu?.label ?? {}])
      for (const [language, words] of Object.entries<string>(text))
        expect(faultsOf({ [path]: words }, language as Language, 'panel'), path).toEqual([]);
});

it.each(textRules)('the rule that asks for “$instead” refuses “$example”, which breaks no other', (rule) => {
  for (const language of rule.languages) {
    const faults = faultsIn(rule.example, language, rule.only ?? 'panel');
    expect(faults).toEqual([expect.stringContaining(`→ ${rule.instead}`)]);
  }
});

it('nothing we write holds guillemets', () => {
  const folders = '{packages,services,gateway,frontends,launcher,operator,tools,tests,deploy,docs,bench}';
  const files = globSync([`${folders}/**/*.{ts,tsx,css,html,md,yml,yaml,sql}`, '*.md'], {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) || path.endsWith('text-rules.ts'),
  });
  expect(files.length).toBeGreaterThan(500);
  expect(files.filter((file) => /[\u00ab\u00bb]/.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

it('a missing text is logged, and its key is shown in its place', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(i18n.getFixedT('en', 'shell')('no.such.key')).toBe('no.such.key');
  expect(log).toHaveBeenCalledExactlyOnceWith('missing text: shell no.such.key');
  log.mockRestore();
});
