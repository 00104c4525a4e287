/** Names the tunnel a forwarded request is for; everything else travels as it would to a connector. */
export const tunnelHeader = 'x-talpa-tunnel';

/** HTTP/2 between edges: many streams, windows that a fast network fills. */
export const peerSettings = {
  enablePush: false,
  maxConcurrentStreams: 100_000,
  initialWindowSize: 1_048_576,
  maxFrameSize: 65_536,
  maxHeaderListSize: 131_072,
} as const;
