import type { Language } from '@talpa/contracts';
import { mole } from './mole.ts';
import { style } from './style.ts';

/** What every page of the edge is made of. */
export interface Framed {
  readonly language: Language;
  readonly title: string;
  /** As HTML. */
  readonly content: string;
  readonly footer: string;
}

export function framed({ language, title, content, footer }: Framed): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${mole}
<h1>${escapeHtml(title)}</h1>
${content}
<footer>${escapeHtml(footer)}</footer>
</main>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
