import type { InstallationChannel } from '@talpa/contracts';
import { useChannelTexts } from './texts.ts';

/** How an attempt has ended that did not succeed. */
export function useWhy(): (
  outcome: Pick<NonNullable<InstallationChannel['last']>, 'status' | 'failure'>,
) => string {
  const t = useChannelTexts();
  return ({ status, failure }) =>
    failure === null ? t('why.status', { status: String(status ?? '') }) : t(`why.${failure}`);
}
