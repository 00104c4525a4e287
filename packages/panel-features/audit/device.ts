import Bowser from 'bowser';
import { useMemo } from 'react';
import { useAuditTexts } from './texts.ts';

/** What a browser's own description comes down to. */
export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
  readonly isPhone: boolean;
}

/** Reads a browser's own description; what it does not say is null. It is no proof of anything. */
export function deviceOf(userAgent: string): Device {
  if (userAgent.trim() === '') return { browser: null, system: null, isPhone: false };
  const { browser, os, platform } = Bowser.parse(userAgent);
  const [, product] = /^([\w.-]{1,40})(?:\/\d|$)/.exec(userAgent) ?? [];
  const major = browser.version?.split('.')[0];
  const name = browser.name && major ? `${browser.name} ${major}` : browser.name;
  return {
    // A script names itself first: “curl/8.5.0”.
    browser: name || product || null,
    system: os.name || null,
    isPhone: platform.type === 'mobile' || platform.type === 'tablet',
  };
}

/** Says where somebody was signed in: „Firefox 140 unter Linux“. */
export function useDeviceText(): (userAgent: string) => string {
  const t = useAuditTexts();
  return useMemo(
    () => (userAgent) => {
      const { browser, system } = deviceOf(userAgent);
      if (browser && system) return t('device.onSystem', { browser, system });
      return browser ?? system ?? t('device.unknown');
    },
    [t],
  );
}
