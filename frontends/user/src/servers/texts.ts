import { defineTexts } from '@talpa/panel-kit/core';
import { de } from './texts-de.ts';
import { en } from './texts-en.ts';

export const useServerTexts = defineTexts('servers', { de, en });
