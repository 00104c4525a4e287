import type { ProxyConfig } from '@talpa/contracts';

const defaultAdminPort = 40_120;

/** What a proxy is made from. */
export interface ProxyValues {
  readonly serverName: string;
  readonly serverIP: string;
  readonly adminPort: string | number;
  readonly customUrl: string;
}

/** The connector runs on the game server itself. */
export const newProxy: ProxyValues = {
  serverName: '',
  serverIP: '127.0.0.1',
  adminPort: defaultAdminPort,
  customUrl: '',
};

/** A proxy's values as its form starts with. */
export function valuesOf(proxy: ProxyConfig): ProxyValues {
  return {
    serverName: proxy.serverName,
    serverIP: proxy.serverIP,
    adminPort: proxy.adminPort || defaultAdminPort,
    customUrl: proxy.customUrl ?? '',
  };
}

/** What the form sends; the server checks and converts the rest. */
export function toRequest(values: ProxyValues) {
  return { ...values, adminPort: Number(values.adminPort), customUrl: values.customUrl || null };
}
