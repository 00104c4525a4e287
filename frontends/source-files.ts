import { globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

export const root = join(import.meta.dirname, '..');
/** What the browser runs. */
export const panelFolders = [
  'packages/panel-kit',
  'packages/panel-features',
  'frontends/shell',
  'frontends/user',
  'frontends/admin',
];

/** A file of the panel's code, its path relative to the repository. */
export interface SourceFile {
  readonly path: string;
  readonly code: string;
}

const isText = (path: string) => /(^|\/)texts(\/|-)/.test(path);

/** All code below a folder but tests and texts. */
export function sourcesBelow(folder: string): SourceFile[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !/node_modules|\/dist\/|\.test\.|\.d\.ts$/.test(path) && !isText(path))
    .map((path) => ({ path, code: readFileSync(join(root, path), 'utf8') }));
}

type Texts = Readonly<Record<string, string>>;
/** The texts of one part of the panel. */
export interface TextPart {
  /** Their folder, and the folder of the code that uses them. */
  readonly folder: string;
  readonly de: Texts;
  /** Null: German alone. */
  readonly en: Texts | null;
}

/** All text files of the panel: `texts/de.ts` or `texts-de.ts`, with the English one beside it. */
export async function textParts(): Promise<TextPart[]> {
  const paths = panelFolders.flatMap((folder) =>
    globSync(`${folder}/**/*{texts/,texts-}de.ts`, { cwd: root }),
  );
  const own = paths.filter((path) => !path.includes('node_modules'));
  return await Promise.all(
    own.map(async (path) => {
      const { de } = (await import(join(root, path))) as { de: Texts };
      const english = path.replace(/de\.ts$/, 'en.ts');
      const hasEnglish = globSync(english, { cwd: root }).length > 0;
      const en = hasEnglish ? ((await import(join(root, english))) as { en: Texts }).en : null;
      // The kit's own texts are used in all of it.
      return { folder: dirname(path).replace(/(\/core)?\/texts$/, ''), de, en };
    }),
  );
}
