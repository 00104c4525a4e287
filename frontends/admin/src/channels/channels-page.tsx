import { ChannelsPanel } from '@talpa/panel-features/channels';
import { useTitleOf } from '@talpa/panel-kit/core';
import { Page } from '@talpa/panel-kit/ui';
import { pages } from '../pages.ts';
import { useAdminTexts } from '../texts/admin-texts.ts';
import { installationChannels } from './installation-channels.ts';

/** Where events of the installation go. */
export function InstallationChannelsPage() {
  const t = useAdminTexts();
  const title = useTitleOf(pages.channels);
  return (
    <Page title={title} subtitle={t('channels.subtitle')}>
      <ChannelsPanel channels={installationChannels} text={t('channels.text')} />
    </Page>
  );
}
