/** Where notifications of a user can go beside inbox and email. */
export const channelKinds = ['webhook', 'discord', 'ntfy', 'telegram'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** How many channels a user may have. */
export const channelsPerUser = 10;

/** How many channels of the installation administrators may have together. */
export const channelsOfInstallation = 50;

/** For how long messages are signed with the former secret, too. Hours. */
export const formerSecretHours = 24;
