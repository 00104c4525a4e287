/** What listens behind a game port. Without zod, for the panel. */
export const gamePortPresets = ['minecraft', 'rcon', 'other'] as const;
export type GamePortPreset = (typeof gamePortPresets)[number];

/** The port that it listens on where nobody has changed it; null: there is none. */
export const presetPorts: Readonly<Record<GamePortPreset, number | null>> = {
  minecraft: 25_565,
  rcon: 25_575,
  other: null,
};
