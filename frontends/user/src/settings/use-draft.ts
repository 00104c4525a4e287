import type { Preferences } from '@talpa/contracts';
import { useState } from 'react';
import { conflictsOf, type Draft, isSame, rebase, takeTheirs } from './draft.ts';

/** The preferences as they are edited on all tabs, until they are saved or discarded. */
export function useDraft(saved: Preferences) {
  const [state, setState] = useState<Draft>({ base: saved, edited: saved });
  const draft = rebase(state, saved);
  if (!isSame(draft.base, state.base) || !isSame(draft.edited, state.edited)) setState(draft);
  return {
    ...draft,
    conflict: conflictsOf(draft, saved),
    isDirty: !isSame(draft.edited, saved),
    change: (part: Partial<Preferences>) =>
      setState((now) => ({ ...now, edited: { ...now.edited, ...part } })),
    discard: () => setState({ base: saved, edited: saved }),
    takeTheirs: () => setState((now) => takeTheirs(now, saved)),
    keepMine: () => setState((now) => ({ ...now, base: saved })),
  };
}
