import { z } from 'zod';
import { gamePortRules } from './access-policy.ts';
import * as fields from './fields.ts';
import { gamePortPresets } from './game-port-presets.ts';

/**
 * Whether visitors can connect. `no_address`: the server's address is a name, which connectors refuse; `out_of_range`: the
 * installation's range has changed; `not_opened`: an edge could not open the public port, as another program has it; `off`: the operator has
 * switched game ports off.
 */
export const gamePortStates = [
  ...(['open', 'no_connector', 'suspended', 'no_address', 'out_of_range', 'not_opened', 'off'] as const),
] as const;
export type GamePortState = (typeof gamePortStates)[number];

/** `off`: the operator has set no range; `provider`: the tunnel provider has no game ports. */
export const gamePortAvailabilities = ['available', 'off', 'provider'] as const;
export type GamePortAvailability = (typeof gamePortAvailabilities)[number];

const time = z.iso.datetime();
const count = z.int().min(0);

/** What its owner chooses. */
export const gamePortInput = z.object({
  targetPort: fields.adminPort,
  preset: z.enum(gamePortPresets),
  rules: gamePortRules,
  /** Whether the connection begins with the visitor's address, in the PROXY protocol, version 2. */
  proxyProtocol: z.boolean(),
});
export type GamePortInput = z.output<typeof gamePortInput>;

/** A TCP port of a game server that is public at the edge, as its owner exports it. */
export const exportedGamePort = gamePortInput.extend({
  id: z.int(),
  publicPort: z.int(),
  /** The server's address: it follows the proxy's. */
  targetHost: z.string(),
  targetPort: z.int(),
  createdAt: time,
});

export const gamePort = exportedGamePort
  .extend({
    state: z.enum(gamePortStates),
    /** As of some seconds ago. `bytesIn` is what visitors have sent. */
    traffic: z.object({
      bytesIn: count,
      bytesOut: count,
      /** Of the last 24 hours. */
      bytesInDay: count,
      bytesOutDay: count,
      connections: count,
      refused: count,
      /** Open now. */
      open: count,
      lastConnectionAt: time.nullable(),
    }),
  })
  .meta({ id: 'GamePort' });
export type GamePort = z.infer<typeof gamePort>;

/** A proxy's game ports, and how many its owner may have for all proxies. */
export const gamePorts = z.object({
  ports: z.array(gamePort),
  availability: z.enum(gamePortAvailabilities),
  limit: count,
  used: count,
  /** What players enter before the public port. */
  host: z.string(),
  /** The address that the caller has now. */
  address: z.string(),
});
export type GamePorts = z.infer<typeof gamePorts>;
