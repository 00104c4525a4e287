import { defineTexts } from '@talpa/panel-kit/core';
import { de } from './de.ts';
import { en } from './en.ts';

export const useShellTexts = defineTexts('shell', { de, en });
