import { ChannelsPanel, ownChannels } from '@talpa/panel-features/channels';
import { useSettingsTexts } from './texts.ts';

/** Where one's notifications go beside inbox and email. */
export function OwnChannels() {
  const t = useSettingsTexts();
  return <ChannelsPanel channels={ownChannels} text={t('channels.text')} />;
}
