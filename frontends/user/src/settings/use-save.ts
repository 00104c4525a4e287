import { ApiError, preferencesQuery, useApiMutation, useToast } from '@talpa/panel-kit/core';
import { useQueryClient } from '@tanstack/react-query';
import { conflictsOf, type Draft, rebase } from './draft.ts';
import { useSettingsTexts } from './texts.ts';

/**
 * Saves all preferences. When others were saved elsewhere meanwhile, fields that were not edited here take those values;
 * nothing is saved while the same field was edited here and there. Throws what the server refused.
 */
export function useSavePreferences(): (draft: Draft) => Promise<void> {
  const t = useSettingsTexts();
  const toast = useToast();
  const client = useQueryClient();
  const { mutateAsync } = useApiMutation('POST /api/user/preferences');
  const send = async ({ base, edited }: Draft) => {
    const saved = await mutateAsync({ ...edited, expected: base });
    client.setQueryData(preferencesQuery.queryKey, saved);
    toast({ title: t('saved'), text: t('savedText'), tone: 'success' });
  };
  return async (draft) => {
    try {
      await send(draft);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'edit_conflict')) throw error;
      const now = await client.fetchQuery({ ...preferencesQuery, staleTime: 0 });
      if (!now || conflictsOf(draft, now).length > 0) return;
      await send(rebase(draft, now));
    }
  };
}
