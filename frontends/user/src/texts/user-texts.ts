import { defineTexts } from '@talpa/panel-kit/core';
import { de } from './de.ts';
import { en } from './en.ts';

export const useUserTexts = defineTexts('user', { de, en });
