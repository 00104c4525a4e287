import { useState } from 'react';

/** The last thing that was there: a dialog that closes goes on showing it until it is gone. */
export function useKept<T>(value: T | null): T | null {
  const [kept, setKept] = useState(value);
  if (value !== null && value !== kept) setKept(value);
  return value ?? kept;
}
