import type { Preferences } from '@talpa/contracts';
import { preferencesQuery, toast, useChange } from '@talpa/panel-kit/core';
import { useQueryClient } from '@tanstack/react-query';
import { useSettingsTexts } from './texts.ts';

/** Saves all preferences and says whether it worked. Throws what the server refused. */
export function useSavePreferences(): (preferences: Preferences) => Promise<void> {
  const t = useSettingsTexts();
  const client = useQueryClient();
  const { mutateAsync } = useChange('POST /api/user/preferences');
  return async (preferences) => {
    try {
      const saved = await mutateAsync(preferences);
      client.setQueryData(preferencesQuery.queryKey, saved);
      toast({ title: t('saved'), text: t('savedText'), tone: 'success' });
    } catch (error) {
      toast({ title: t('saveFailed'), text: (error as Error).message, tone: 'error' });
      throw error;
    }
  };
}
