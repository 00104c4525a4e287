import { defineTexts } from '../core/texts/texts.ts';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

export const useProxyTexts = defineTexts('proxy', { de, en });
