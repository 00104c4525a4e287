import type { Preferences } from '@talpa/contracts';
import type { ReactNode } from 'react';

/** What each tab with preferences is given. */
export interface TabProps {
  readonly draft: Preferences;
  readonly change: (part: Partial<Preferences>) => void;
  readonly onSave: () => void;
  /** The button that saves. */
  readonly bar: ReactNode;
}
