import { useState } from 'react';

/**
 * Counts how often a dialog has been opened: 0 before the first time. As React's `key` it gives every opening a
 * state of its own, so that nothing of an earlier one can show up.
 */
export function useOpening(open: boolean): number {
  const [opening, setOpening] = useState({ open, count: open ? 1 : 0 });
  if (open === opening.open) return opening.count;
  const count = open ? opening.count + 1 : opening.count;
  setOpening({ open, count });
  return count;
}
