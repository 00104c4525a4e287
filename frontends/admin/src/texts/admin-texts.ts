import { defineTexts } from '@talpa/panel-kit/core';
import { de } from './de.ts';

/** Administrators read German, whatever the rest of the panel speaks. */
export const useAdminTexts = defineTexts('admin', { de, en: de });
