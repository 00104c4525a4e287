import { useToast, useUser } from '@talpa/panel-kit/core';
import { useEffect, useRef } from 'react';
import { useShellTexts } from '../texts/shell-texts.ts';

/** Says so when somebody ceases to be an administrator: menu entries disappear, and maybe the page. */
export function useDemotionToast(): void {
  const t = useShellTexts();
  const toast = useToast();
  const { id, isAdmin } = useUser();
  const before = useRef({ id, isAdmin });
  useEffect(() => {
    const was = before.current;
    before.current = { id, isAdmin };
    if (was.id === id && was.isAdmin && !isAdmin) toast({ title: t('demoted'), text: t('demoted.text') });
  }, [id, isAdmin, t]);
}
