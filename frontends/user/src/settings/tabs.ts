/** The tabs of the settings, by their names in the address. */
export const tabs = ['account', 'notifications', 'appearance', 'security'] as const;
export type Tab = (typeof tabs)[number];
