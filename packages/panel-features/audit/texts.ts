import { defineTexts, type Translate } from '@talpa/panel-kit/core';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

export const useAuditTexts = defineTexts('audit', { de, en });
export type AuditTranslate = Translate<typeof de>;
