import { z } from 'zod';
import type { Node } from './manifest.ts';

const path = z.string().regex(/^\/./);
/** The operations of JSON Patch (RFC 6902) that we use. */
export const patchSchema = z.array(
  z.discriminatedUnion('op', [
    z.strictObject({ op: z.literal(['add', 'replace']), path, value: z.json() }),
    z.strictObject({ op: z.literal('remove'), path }),
  ]),
);
type Operation = z.output<typeof patchSchema>[number];

/** Changes an object by a patch, in place. @throws Error where the path leads nowhere */
export function applyPatch(target: Node, patch: readonly Operation[]): void {
  for (const operation of patch) applyOperation(target, operation);
}

function applyOperation(target: Node, operation: Operation): void {
  const keys = operation.path.slice(1).split('/').map(plainKey);
  const last = keys.pop() ?? '';
  const parent = keys.reduce<Node | undefined>((node, key) => childOf(node, key), target);
  const fail = () => new Error(`the patch finds no ${operation.path}`);
  if (typeof parent !== 'object' || parent === null) throw fail();
  if (operation.op !== 'add' && childOf(parent, last) === undefined) throw fail();
  if (Array.isArray(parent)) {
    const at = last === '-' ? parent.length : Number(last);
    if (!Number.isInteger(at) || at > parent.length) throw fail();
    if (operation.op === 'remove') parent.splice(at, 1);
    else parent.splice(at, operation.op === 'replace' ? 1 : 0, structuredClone(operation.value) as Node);
  } else if (operation.op === 'remove') delete parent[last];
  else parent[last] = structuredClone(operation.value) as Node;
}

function childOf(node: Node | undefined, key: string): Node | undefined {
  if (Array.isArray(node)) return node[Number(key)];
  return typeof node === 'object' && node !== null ? node[key] : undefined;
}

const plainKey = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~');
