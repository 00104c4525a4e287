import { de } from './de.ts';
import { en } from './en.ts';
import { defineTexts } from './texts.ts';

export const useKitTexts = defineTexts('kit', { de, en });
