import { describe, expect, it } from 'vitest';
import { sourcesBelow } from './source-files.ts';

describe('the frontends', () => {
  const sources = ['shell', 'user', 'admin'].flatMap((name) => sourcesBelow(`frontends/${name}/src`));

  it('reach antd and the router through the kit alone, so that each exists once and only in part', () => {
    const offenders = sources.filter(({ code }) => /from '(antd|@ant-design|react-router)/.test(code));
    expect(offenders.map(({ path }) => path)).toEqual([]);
  });

  it('check each form with texts of their own: the browser’s are in its language', () => {
    const forms = [...sources, ...sourcesBelow('packages/panel-kit')].filter(({ code }) =>
      /<(Form(<\w+>)?|form)(?=[\s>])(?!\s+noValidate\b)/.test(code),
    );
    expect(forms.map(({ path }) => path)).toEqual([]);
  });

  it('begin each opening of a dialog anew: nothing of an earlier one is left in it', () => {
    const all = [
      ...sources,
      ...['panel-kit', 'panel-features'].flatMap((name) => sourcesBelow(`packages/${name}`)),
    ];
    const count = (code: string, text: string) => code.split(text).length - 1;
    const counted = all.map(({ path, code }) => [path, count(code, '= useOpening(')] as const);
    expect(all.map(({ path, code }) => [path, count(code, ' key={opening}')])).toEqual(counted);
    expect(counted.filter(([, openings]) => openings > 0).length).toBeGreaterThan(5);
  });

  it('never make a router of their own, but for the shell', () => {
    const makers = sources.filter(({ code }) => /create(Browser|Hash|Memory)Router\(/.test(code));
    expect(makers.map(({ path }) => path)).toEqual(['frontends/shell/src/router.tsx']);
  });
});
