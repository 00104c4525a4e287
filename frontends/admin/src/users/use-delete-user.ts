import type { User } from '@talpa/contracts';
import { adminUserQuery, useApiMutation } from '@talpa/panel-kit/core';
import { useConfirm } from '@talpa/panel-kit/form';
import { useAdminTexts } from '../texts/admin-texts.ts';

/** Deletes a user after a question. */
export function useDeleteUser(on: { readonly onStart?: () => void; readonly onDone?: () => void }) {
  const t = useAdminTexts();
  return useConfirm(useApiMutation('DELETE /api/admin/users/:id'), ({ id, username }: User) => ({
    title: t('delete.title'),
    text: t('delete.text', { name: username }),
    confirm: t('delete.confirm'),
    input: { id },
    done: { title: t('delete.done'), text: t('delete.doneText') },
    failed: t('failed'),
    query: adminUserQuery(id),
    ...on,
  }));
}
