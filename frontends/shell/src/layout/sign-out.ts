import { useSignOut, useToast } from '@talpa/panel-kit/core';
import { useShellTexts } from '../texts/shell-texts.ts';

/** Signs out, and shows a toast if that fails. */
export function useSignOutButton(): { readonly signOut: () => void; readonly isPending: boolean } {
  const t = useShellTexts();
  const toast = useToast();
  const { mutate, isPending } = useSignOut();
  const signOut = () =>
    mutate(undefined, {
      onError: ({ message }) => toast({ title: t('layout.logout.failed'), text: message, tone: 'error' }),
    });
  return { signOut, isPending };
}
