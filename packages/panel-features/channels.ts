// Shared once in the browser: where notifications and events go beside inbox and email. See ui.ts.
export type { Channels } from './channels/channels.ts';
export { ChannelsPanel } from './channels/channels-panel.tsx';
export { ownChannels } from './channels/own-channels.ts';
