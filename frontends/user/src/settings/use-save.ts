import type { Preferences } from '@talpa/contracts';
import { type ApiError, toast, useChange } from '@talpa/panel-kit/core';
import { useUserTexts } from '../texts/user-texts.ts';

/** Saves all preferences; says whether it worked. */
export function useSavePreferences() {
  const t = useUserTexts();
  const { mutate, isPending } = useChange('POST /api/user/preferences');
  const save = (preferences: Preferences, onError?: (error: ApiError) => void) =>
    mutate(preferences, {
      onSuccess: () => toast({ title: t('settings.saved'), text: t('settings.savedText'), tone: 'success' }),
      onError: (error) => {
        toast({ title: t('error.general'), text: error.message, tone: 'error' });
        onError?.(error);
      },
    });
  return { save, isPending };
}
