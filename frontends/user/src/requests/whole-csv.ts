import type { RouteName, Routes } from '@talpa/contracts';
import { callWithHeaders, type Input, pageFacts } from '@talpa/panel-kit/core';

type CsvName = {
  [N in RouteName]: Routes[N] extends { media: 'text/csv' } ? N : never;
}[RouteName];

/** As many rows as a route gives at once. */
const longestPage = 1_000;

/** All pages of a list as one CSV. */
export async function wholeCsv<N extends CsvName>(
  name: N,
  input: Omit<Input<N>, 'limit' | 'cursor'>,
): Promise<string> {
  const parts: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = { ...input, limit: longestPage, ...(cursor ? { cursor } : {}) };
    const { response, headers } = await callWithHeaders(name, page as Input<N>);
    parts.push(response);
    cursor = pageFacts(headers).next;
  }
  return parts.join('');
}
