import { call } from '@talpa/panel-kit/core';
import { useCallback, useEffect, useRef, useState } from 'react';

/** How long the panel's own round trip takes: measuring, known in ms, or no connection. */
export type Ping =
  | { readonly state: 'loading' }
  | { readonly state: 'success'; readonly ms: number }
  | { readonly state: 'error' };
export type PingQuality = 'excellent' | 'good' | 'slow';

const everyMs = 15_000;
const excellentBelowMs = 100;
const goodBelowMs = 200;

/** What a measured time means. */
export function qualityOf(ms: number): PingQuality {
  if (ms < excellentBelowMs) return 'excellent';
  return ms < goodBelowMs ? 'good' : 'slow';
}

/** Measures at once, every 15 s, when the browser is back online, and on demand. `last` is what the last measurement gave. */
export function usePing(): { readonly ping: Ping; readonly last: Ping | null; readonly measure: () => void } {
  const [ping, setPing] = useState<Ping>({ state: 'loading' });
  const [last, setLast] = useState<Ping | null>(null);
  const running = useRef(false);
  const measure = useCallback(async () => {
    if (running.current) return;
    running.current = true;
    setPing({ state: 'loading' });
    const end = (result: Ping) => {
      setLast(result);
      setPing(result);
    };
    const start = performance.now();
    try {
      await call('GET /api/user', { nocache: String(Date.now()) });
      end({ state: 'success', ms: Math.round(performance.now() - start) });
    } catch (error) {
      console.warn('Verbindungsfehler', error);
      end({ state: 'error' });
    } finally {
      running.current = false;
    }
  }, []);
  useEffect(() => {
    void measure();
    const timer = setInterval(() => void measure(), everyMs);
    // The rest of the page is fresh then, too.
    const online = () => void measure();
    addEventListener('online', online);
    return () => {
      clearInterval(timer);
      removeEventListener('online', online);
    };
  }, [measure]);
  return { ping, last, measure: () => void measure() };
}
