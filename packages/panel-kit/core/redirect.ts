import { useEffect, useState } from 'react';

/**
 * Leads the browser to one of several pages outside of the panel.
 * @returns which of them it is being led to, and how to lead it there; that throws what `urlOf` does. Who presses Back finds the page
 * as it was left, in the middle of leaving: then it is led nowhere any more.
 */
export function useRedirect(): readonly [
  string | null,
  (to: string, urlOf: () => Promise<string>) => Promise<void>,
] {
  const [target, setTarget] = useState<string | null>(null);
  useEffect(() => {
    const stay = () => setTarget(null);
    window.addEventListener('pageshow', stay);
    return () => window.removeEventListener('pageshow', stay);
  }, []);
  const leave = async (to: string, urlOf: () => Promise<string>) => {
    setTarget(to);
    try {
      window.location.assign(await urlOf());
    } catch (error) {
      setTarget(null);
      throw error;
    }
  };
  return [target, leave];
}
