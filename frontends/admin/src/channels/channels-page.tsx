import { ChannelsPanel } from '@talpa/panel-features/channels';
import { useHeadOf } from '@talpa/panel-kit/core';
import { Page } from '@talpa/panel-kit/ui';
import { pages } from '../pages.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { installationChannels } from './installation-channels.ts';

/** Where events of the installation go. */
export function InstallationChannelsPage() {
  const t = useAdminTexts();
  const head = useHeadOf(pages.channels);
  return (
    <Page {...head}>
      <ChannelsPanel channels={installationChannels} text={t('channels.text')} />
    </Page>
  );
}
