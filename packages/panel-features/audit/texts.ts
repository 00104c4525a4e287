import type { ProxyEntry } from '@talpa/contracts';
import { defineTexts, type Translate } from '@talpa/panel-kit/core';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

/** Without a label the trail would show a field's bare name. */
const texts = { de, en } satisfies Record<string, Record<`field.${ProxyEntry}`, unknown>>;
export const useAuditTexts = defineTexts('audit', texts);
export type AuditTranslate = Translate<typeof de>;
