import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { de as kitDe } from '../packages/panel-kit/core/texts/de.ts';
import { en as kitEn } from '../packages/panel-kit/core/texts/en.ts';
import { de as proxiesDe } from '../packages/panel-kit/proxies/texts-de.ts';
import { en as proxiesEn } from '../packages/panel-kit/proxies/texts-en.ts';
import { de as adminDe } from './admin/src/texts/de.ts';
import { de as shellDe } from './shell/src/texts/de.ts';
import { en as shellEn } from './shell/src/texts/en.ts';
import { de as paymentDe } from './user/src/payment/texts-de.ts';
import { en as paymentEn } from './user/src/payment/texts-en.ts';
import { de as userDe } from './user/src/texts/de.ts';
import { en as userEn } from './user/src/texts/en.ts';

const root = join(import.meta.dirname, '..');

function sourcesBelow(folder: string): { path: string; code: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/node_modules|\.test\.|texts/.test(path))
    .map((path) => ({ path: join(folder, path), code: readFileSync(join(root, folder, path), 'utf8') }));
}

const parts = [
  { part: 'kit', folder: 'packages/panel-kit', de: kitDe, en: kitEn },
  { part: 'proxies', folder: 'packages/panel-kit/proxies', de: proxiesDe, en: proxiesEn },
  { part: 'shell', folder: 'frontends/shell/src', de: shellDe, en: shellEn },
  { part: 'user', folder: 'frontends/user/src', de: userDe, en: userEn },
  { part: 'payment', folder: 'frontends/user/src/payment', de: paymentDe, en: paymentEn },
  { part: 'admin', folder: 'frontends/admin/src', de: adminDe, en: adminDe },
] satisfies { part: string; folder: string; de: Record<string, string>; en: Record<string, string> }[];

describe.each(parts)('the texts of $part', ({ folder, de, en }) => {
  const german: Record<string, string> = de;
  const english: Record<string, string> = en;
  const paramsOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

  it('have the same keys and parameters in both languages, and none is empty', () => {
    expect(Object.keys(english).sort()).toEqual(Object.keys(german).sort());
    for (const [key, text] of Object.entries(german)) {
      expect(text.trim(), key).not.toBe('');
      expect(paramsOf(english[key] ?? ''), key).toEqual(paramsOf(text));
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
    const keys = Object.keys(german).map((key) => key.replace(/_(one|other)$/, ''));
    expect(keys.filter((key) => !isUsed(key))).toEqual([]);
  });

  it('are formal in German', () => {
    for (const [key, text] of Object.entries(german))
      expect(text, key).not.toMatch(/\b([Dd]u|[Dd]ein\w*|[Dd]ich)\b/);
  });
});

describe('the frontends', () => {
  const sources = ['shell', 'user', 'admin'].flatMap((name) => sourcesBelow(`frontends/${name}/src`));

  it('reach antd and the router through the kit alone, so that each exists once and only in part', () => {
    const offenders = sources.filter(({ code }) => /from '(antd|@ant-design|react-router)/.test(code));
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });

  it('never make a router of their own, but for the shell', () => {
    const makers = sources.filter(({ code }) => /create(Browser|Hash|Memory)Router\(/.test(code));
    expect(makers.map(({ path }) => path)).toEqual(['frontends/shell/src/router.tsx']);
  });
});
