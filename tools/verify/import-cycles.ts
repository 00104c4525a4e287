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

/** The relative imports among a file's imports, as paths from the root. */
export function relativeImports(file: string, names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith('.')).map((name) => join(file, '..', name));
}
