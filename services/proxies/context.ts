import type { Passwords } from '@talpa/service-kit/passwords';
import type { ServiceContext } from '@talpa/service-kit/service/service';
import type { ProxiesSettings } from './settings.ts';

interface Parts {
  readonly settings: ProxiesSettings;
  readonly passwords: Passwords;
}

/** What every verb of proxies gets. */
export type ProxiesContext = ServiceContext<Parts>;
