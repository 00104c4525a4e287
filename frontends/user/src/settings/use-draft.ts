import type { Preferences } from '@talpa/contracts';
import { useState } from 'react';

const groups = ['email', 'notifications', 'appearance'] as const satisfies readonly (keyof Preferences)[];
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The draft after what is saved has changed: a group that was edited stays, the others follow. */
export function afterRefetch(draft: Preferences, before: Preferences, saved: Preferences): Preferences {
  const edited = groups.filter((group) => !same(draft[group], before[group]));
  return { ...saved, ...Object.fromEntries(edited.map((group) => [group, draft[group]])) };
}

/** The preferences as they are being edited on all tabs, until they are saved or discarded. */
export function useDraft(saved: Preferences) {
  const [state, setState] = useState({ before: saved, draft: saved });
  if (state.before !== saved)
    setState({ before: saved, draft: afterRefetch(state.draft, state.before, saved) });
  const { draft } = state;
  return {
    draft,
    isDirty: !same(draft, saved),
    change: (part: Partial<Preferences>) => setState((now) => ({ ...now, draft: { ...now.draft, ...part } })),
    discard: () => setState({ before: saved, draft: saved }),
  };
}
