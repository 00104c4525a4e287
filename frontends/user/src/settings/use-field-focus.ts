import { useEffect, useState } from 'react';
import type { Field } from './draft.ts';
import type { Tab } from './tabs.ts';

/** Where each field stands. */
const places: Readonly<Record<Field, { readonly tab: Tab; readonly selector: string }>> = {
  email: { tab: 'account', selector: '#email' },
  'notify.email': { tab: 'notifications', selector: '#notify-email' },
  'notify.system': { tab: 'notifications', selector: '#notify-system' },
  'notify.maintenance': { tab: 'notifications', selector: '#notify-maintenance' },
  'notify.quiet': { tab: 'notifications', selector: '#notify-quiet' },
  theme: { tab: 'appearance', selector: 'input[name=theme]:checked' },
  accent: { tab: 'appearance', selector: 'input[name=accent]:checked' },
};

/** Gives a field the focus once its tab is there. @returns what asks for that */
export function useFieldFocus(shown: Tab, setTab: (tab: Tab) => void): (field: Field | undefined) => void {
  const [wanted, setWanted] = useState<Field | null>(null);
  useEffect(() => {
    if (!wanted || places[wanted].tab !== shown) return;
    setWanted(null);
    setTimeout(() => document.querySelector<HTMLElement>(places[wanted].selector)?.focus());
  }, [wanted, shown]);
  return (field) => {
    if (!field) return;
    setWanted(field);
    if (places[field].tab !== shown) setTab(places[field].tab);
  };
}
