import { defineTexts, type Translate } from '@talpa/panel-kit/core';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

export const useProxyTexts = defineTexts('proxy', { de, en });
export type ProxyTranslate = Translate<typeof de>;
