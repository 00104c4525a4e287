import { defineTexts } from '@talpa/panel-kit/core';
import { de } from './texts-de.ts';

/** German for all: see `../texts`. */
export const useOverviewTexts = defineTexts('adminOverview', { de, en: de });
