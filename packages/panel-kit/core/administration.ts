import { createContext, type ReactNode } from 'react';

interface AdministrationParts {
  /** Above all else: what is still to be set up. */
  readonly first: ReactNode;
  /** Below what every user sees. */
  readonly last: ReactNode;
}

/**
 * What the dashboard shows to administrators, from their remote; null for everybody else. The shell fills it: no remote
 * knows another.
 */
export const Administration = createContext<AdministrationParts | null>(null);
