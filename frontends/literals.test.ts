import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';
import { panelFolders, type SourceFile, sourcesBelow } from './source-files.ts';

/** Names that are no words of a language. */
const names = new Set(['Talpa', 'Linux', 'Windows', 'Docker', 'PayPal', 'Visa', 'Mastercard']);
/** Properties and attributes that users read, or screen readers speak. */
const readAloud =
  /^(aria-label|aria-description|aria-valuetext|alt|title|label|text|tip|placeholder|description|subtitle|extra|hint|okText|cancelText|footer|message|children)$/;

type Node = Readonly<Record<string, unknown>> & { readonly type: string };
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const childrenOf = (node: Node) =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);

/** Whether a piece of text says something: a word of two letters or more that is no name. */
const speaks = (text: string) =>
  (text.match(/\p{L}{2,}/gu) ?? []).some((word) => !names.has(word)) && !names.has(text.trim());

/** The texts an expression may become. */
function textsOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  if (node.type === 'JSXText' || node.type === 'Literal')
    return typeof node.value === 'string' ? [node.value] : [];
  if (node.type === 'TemplateLiteral')
    return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
  if (node.type === 'JSXExpressionContainer' || node.type === 'ParenthesizedExpression')
    return textsOf(node.expression);
  if (node.type === 'LogicalExpression') return [...textsOf(node.left), ...textsOf(node.right)];
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)];
  if (node.type === 'BinaryExpression' && node.operator === '+')
    return [...textsOf(node.left), ...textsOf(node.right)];
  return [];
}

/** All texts in a file that end up before people without passing a language file. */
function literalsIn({ path, code }: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    const key = node.key as { name?: unknown; value?: unknown } | undefined;
    const name =
      node.type === 'JSXAttribute' ? (node.name as { name: unknown }).name : (key?.name ?? key?.value);
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      for (const child of node.children as unknown[]) found.push(...textsOf(child));
    if (/^(JSXAttribute|Property)$/.test(node.type) && readAloud.test(String(name)))
      found.push(...textsOf(node.value));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseAst(code, { lang: 'tsx' }) as unknown as Node);
  return found.filter(speaks).map((text) => `${path}: ${text.trim()}`);
}

const components = panelFolders.flatMap(sourcesBelow).filter(({ path }) => path.endsWith('.tsx'));

it('no component says anything that does not stand in the language files', () => {
  expect(components.length).toBeGreaterThan(50);
  expect(components.flatMap(literalsIn)).toEqual([]);
});

it('finds a text wherever one may hide', () => {
  const code = `const a = <><b title="Guten Tag">{c ? 'Ja doch' : <i>Hallo Welt</i>}</b>{t('x') || 'Nein'}
    <input placeholder={\`Name von \${x}\`} className="not read" /> Talpa</>; const d = { label: 'Weiter' };`;
  const found = literalsIn({ path: 'x', code }).map((line) => line.slice(3));
  expect(found.sort()).toEqual(['Guten Tag', 'Hallo Welt', 'Ja doch', 'Name von', 'Nein', 'Weiter']);
});

it('days, figures and amounts are written by the formats alone, so that they follow the language', () => {
  const offenders = panelFolders
    .flatMap(sourcesBelow)
    .filter(
      ({ path, code }) =>
        /\.toLocale\w+\(|\.toFixed\(|\bIntl\./.test(code) && !/\/format[\w-]*\.ts$/.test(path),
    );
  expect(offenders.map(({ path }) => path)).toEqual([]);
});
