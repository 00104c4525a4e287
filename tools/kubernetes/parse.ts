import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifest.ts';

/** The objects of a file. @throws Error with `path`, when it is no YAML */
export function parseManifests(text: string, path: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    if (document.errors[0]) throw new Error(`${path}: ${document.errors[0].message}`);
    return document.toJS() as Manifest;
  });
}
