import type { ProxyConfig } from '@talpa/contracts';
import { useProxyDialogs } from '@talpa/panel-features/proxies';
import { useEffect, useEffectEvent } from 'react';
import type { NextStep } from './next-step.ts';

/** What somebody has asked for in a row: a new object each time. */
export interface AskedStep {
  readonly step: NextStep;
  readonly proxy: ProxyConfig;
}

/** The dialogs behind the buttons of the rows, with the forms they need: loaded when one is asked for. */
export function RowDialogs(props: {
  readonly asked: AskedStep;
  readonly proxies: readonly ProxyConfig[] | undefined;
}) {
  const { asked } = props;
  const { open, dialogs } = useProxyDialogs(props.proxies);
  const openAsked = useEffectEvent(() => open(asked.step, asked.proxy));
  useEffect(() => {
    if (asked) openAsked();
  }, [asked]);
  return dialogs;
}
