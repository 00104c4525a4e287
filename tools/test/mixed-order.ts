import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { root } from '../../launcher/paths.ts';

/** What lasts minutes, in the order in which it begins: begun last it would run alone at the end. Half of it waits for most of its time. */
const longest = [
  ...['tests/browser/matrix', 'tests/faults/hangs', 'tests/system/faults', 'tests/operator/backup'],
  ...['tests/faults/', 'tests/browser/walk', 'tests/fuzz', 'tests/system/authorization', 'launcher/start'],
];

/**
 * Unit tests first, because they soon show what is wrong; then what lasts long; then files with a browser, which keep the
 * processors busy, in turn with others, which wait. Vitest's own order has one project after the other.
 */
export class MixedOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const units = sorted.filter(({ project }) => project.name === 'unit');
    const others = sorted.filter(({ project }) => project.name !== 'unit');
    const nameOf = ({ moduleId }: TestSpecification) => relative(root, moduleId);
    const isLong = (file: TestSpecification) => longest.some((start) => nameOf(file).startsWith(start));
    const rank = (file: TestSpecification) => longest.findIndex((start) => nameOf(file).startsWith(start));
    const long = others.filter(isLong).sort((a, b) => rank(a) - rank(b));
    const short = others.filter((file) => !isLong(file));
    const isBrowser = (file: TestSpecification) => nameOf(file).startsWith('tests/browser/');
    return [
      ...units,
      ...long,
      ...mixed(
        short.filter(isBrowser),
        short.filter((file) => !isBrowser(file)),
      ),
    ];
  }
}

/** Both lists in one, each spread evenly over the whole. */
function mixed<T>(one: readonly T[], other: readonly T[]): T[] {
  const places = [one, other].flatMap((list) =>
    list.map((value, index) => ({ value, at: (index + 0.5) / list.length })),
  );
  return places.sort((a, b) => a.at - b.at).map(({ value }) => value);
}
