import type { Language } from '@talpa/contracts';

/** What a page shows; every text is HTML already. */
interface Page {
  readonly language: Language;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly link: string | null;
  readonly footer: string;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** A text as HTML: whatever is in a name stays text. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

/** No images, nothing that is fetched; where a mail program ignores the style, plain paragraphs are left. */
const style = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px 16px; font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  color: #1c1b22; background: #ffffff; }
main { max-width: 560px; margin: 0 auto; overflow-wrap: anywhere; }
p { margin: 0 0 16px; }
a { color: #5b21b6; }
.footer { margin-top: 32px; padding-top: 16px; border-top: 1px solid #d9d7e0; font-size: 14px; color: #5c5966; }
@media (prefers-color-scheme: dark) {
  body { color: #efedf5; background: #17161c; }
  a { color: #c4b5fd; }
  .footer { border-color: #3a3844; color: #a9a6b5; }
}
`;

/** The HTML part of an email. */
export function htmlPage({ language, title, paragraphs, link, footer }: Page): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')}
${link ? `<p>${link}</p>\n` : ''}<p class="footer">${footer}</p>
</main>
</body>
</html>
`;
}
