import { defineTexts, type Translate } from '../core/texts/texts.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

export const useAuditTexts = defineTexts('audit', { de, en });
export type AuditTranslate = Translate<typeof de>;
