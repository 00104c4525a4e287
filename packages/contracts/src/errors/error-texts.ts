import type { Text } from '../language.ts';

/** By code, what an error says and the HTTP status it comes with. */
export type ErrorTexts = Readonly<Record<string, Text & { readonly status: number }>>;
