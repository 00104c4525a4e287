import { join } from 'node:path';

/** A file and the files that it imports, relative to the root. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/**
 * The files that import each other, types included: one line per cycle, with one way around it.
 * What one file of a cycle means cannot be understood without the others.
 */
export function findImportCycles(graph: ImportGraph): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) cycles.push(`import cycle: ${[...path.slice(at), file].join(' → ')}`);
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

/**
 * The sibling folders that import each other, from whatever depth, types included and tests not: one line per pair, with the
 * imports of the way that fewer go. Neither of the two is a boundary.
 */
export function findFolderCircles(graph: ImportGraph): string[] {
  const ways = new Map<string, string[]>();
  for (const [file, imported] of graph) {
    if (/\.test\.tsx?$/.test(file)) continue;
    for (const target of imported) {
      const way = siblingFolders(file, target)?.join(' → ');
      if (way) ways.set(way, [...(ways.get(way) ?? []), `${file} → ${target}`]);
    }
  }
  return [...ways].flatMap(([way, there]) => {
    const [from = '', to = ''] = way.split(' → ');
    const back = ways.get(`${to} → ${from}`);
    if (!back || from > to) return [];
    const fewer = there.length < back.length ? there : back;
    return [`${from} and ${to} import each other: ${fewer.join(', ')}`];
  });
}

/** The two folders beside each other that an import leads between; null when a file of it lies beside the other's folder. */
function siblingFolders(file: string, target: string): [from: string, to: string] | null {
  const [from, to] = [file.split('/'), target.split('/')];
  const at = from.findIndex((part, index) => part !== to[index]);
  if (at === -1 || at === from.length - 1 || at === to.length - 1) return null;
  return [from.slice(0, at + 1).join('/'), to.slice(0, at + 1).join('/')];
}

/** The relative imports among a file's imports, as paths from the root. */
export function relativeImports(file: string, names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith('.')).map((name) => join(file, '..', name));
}
