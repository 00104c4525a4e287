import { describe, expect, it } from 'vitest';
import { reservedForm, skeletonsOf } from './skeleton.ts';

const lookAlike = (one: string, other: string) =>
  skeletonsOf(one).some((skeleton) => skeletonsOf(other).includes(skeleton));

describe('a name looks like another', () => {
  it.each([
    ['аdmin', 'admin'],
    ['ａｄｍｉｎ', 'admin'],
    ['admin.', 'admin'],
    ['__admin', 'admin'],
    ['аNNA', 'anna'],
    ['AIice', 'Alice'],
    ['pau1', 'paul'],
    ['t0m', 'Tom'],
    ['rnax', 'max'],
    ['ρaul', 'paul'],
    ['anna..b', 'anna.b'],
    ['anna...b', 'anna.b'],
    ['__anna__', 'anna'],
    ['𝒂nna', 'anna'],
  ])('%s like %s', (one, other) => {
    expect(lookAlike(one, other)).toBe(true);
  });

  it.each([
    ['anna', 'anne'],
    ['anna.b', 'annab'],
    ['müller', 'muller'],
    ['server1', 'server2'],
    ['иван', 'ivan'],
    ['...', '___'],
  ])('%s not like %s', (one, other) => {
    expect(lookAlike(one, other)).toBe(false);
  });
});

it('a name is compared with reserved ones by what is left of it without marks between', () => {
  expect(['Аdmin', 'ad.min_', '__SUPPORT--x'].map(reservedForm)).toEqual([
    reservedForm('admin'),
    reservedForm('ad-min'),
    reservedForm('support-x'),
  ]);
});

it('what a reserved name is compared with is lower case, with hyphens between its parts alone', () => {
  expect(['--A_b..c-', 'a-b', '-x'].map(reservedForm)).toEqual(['a-b-c', 'a-b', 'x']);
});
