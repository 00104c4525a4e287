import type { ProxyConfig } from '@talpa/contracts';
import { type SubdomainAvailability, subdomainOf } from '@talpa/contracts/subdomain';
import { panelConfig, subdomainQuery, useLanguage } from '@talpa/panel-kit/core';
import { type FormInstance, issueText } from '@talpa/panel-kit/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ProxyValues } from './proxy-values.ts';

/** The proxy that is to have an address, with the one it has. */
export type AddressHolder = Pick<ProxyConfig, 'id' | 'cfDomain'>;

/** How long a user must stop typing before the server is asked, in ms. */
const pauseMs = 300;

export const hostOf = (label: string) => `${label}.${panelConfig().tunnelDomain}`;

/** The subdomain that a form's values result in; null when they result in none. */
export function labelFrom({ serverName, customUrl }: Pick<ProxyValues, 'serverName' | 'customUrl'>) {
  const subdomain = subdomainOf(serverName, customUrl.trim() || null, panelConfig().tunnelDomain);
  return 'problem' in subdomain ? null : subdomain.label;
}

/**
 * Whether somebody may have a subdomain, once they stop typing. Null for the address the proxy has, and while that is
 * not known: the server decides when the form is sent.
 */
export function useAvailability(label: string | null, proxy: AddressHolder | undefined) {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(label), pauseMs);
    return () => clearTimeout(timer);
  }, [label]);
  const isOwn = label !== null && hostOf(label) === proxy?.cfDomain;
  const { data } = useQuery({
    ...subdomainQuery(settled ?? '', proxy?.id),
    enabled: settled !== null && settled === label && !isOwn,
    // Somebody may have given it back in another window.
    refetchOnWindowFocus: 'always',
  });
  return settled === label && !isOwn && data ? data.availability : null;
}

/** Marks the address of a refused form too when nobody may have it, so that all faults are shown together. */
export function useAddressFault(proxy?: AddressHolder): (form: FormInstance<ProxyValues>) => void {
  const client = useQueryClient();
  const language = useLanguage();
  return (form) => {
    const label = labelFrom(form.getFieldsValue(true));
    if (label === null || hostOf(label) === proxy?.cfDomain) return;
    const mark = (availability: SubdomainAvailability) => {
      const isOutdated = labelFrom(form.getFieldsValue(true)) !== label;
      const key = faults[availability];
      if (isOutdated || !key || form.getFieldError('customUrl').length > 0) return;
      form.setFields([{ name: 'customUrl', errors: [issueText(key, language, { subdomain: label })] }]);
    };
    client
      .fetchQuery(subdomainQuery(label, proxy?.id))
      .then(({ availability }) => mark(availability))
      // The server decides when the form is sent again.
      .catch(() => {});
  };
}

const faults = {
  free: null,
  invalid: null,
  taken: 'subdomainTaken',
  similar: 'subdomainSimilar',
  reserved: 'subdomainReserved',
} as const;
