import type { Sql } from '@talpa/service-kit/database/sql';
import type { Log } from '@talpa/service-kit/log';
import { onceAMinute } from '@talpa/service-kit/once-a-minute';
import { inTurns } from '../connectors/in-turns.ts';
import { findGamePorts, type GamePort } from './rows.ts';

/**
 * Which game ports there are now. While the database is away they stay as they were, and only those that are open to everyone let
 * anyone in: rules may have changed.
 */
export interface GamePortTable {
  get(publicPort: number): GamePort | undefined;
  all(): Iterable<GamePort>;
  /** Whether a game port leads through that tunnel to that target: the edge dials nothing else, for itself or another edge. */
  mayDial(tunnelId: string, target: string): boolean;
  /** Whether they were read so recently that rules still hold. */
  isCurrent(): boolean;
  /** Reads them anew; called after each notification. */
  refresh(): void;
  /** Called after each look. @param changed the public ports of those that are gone, new or different */
  onLook: (changed: ReadonlySet<number>) => void;
  stop(): void;
}

/** A notification may be lost: a change shows after a second. */
const lookMs = 1_000;
/** Two looks have failed, or one lasts. */
const currentMs = 2 * lookMs;

/** Reads the game ports, and follows them. @throws Error when the database does not respond */
export async function followGamePorts(sql: Sql, log: Log): Promise<GamePortTable> {
  let readAt = performance.now();
  let ports = await findGamePorts(sql, new Map());
  const logFailed = onceAMinute((error: unknown) =>
    log.warn(
      { err: error },
      'game ports could not be read: they stay as they were, and those with rules let nobody in',
    ),
  );
  const look = async () => {
    const begunAt = performance.now();
    const found = await findGamePorts(sql, ports);
    readAt = begunAt;
    const changed = [...found.keys(), ...ports.keys()].filter((port) =>
      differ(ports.get(port), found.get(port)),
    );
    ports = found;
    table.onLook(new Set(changed));
  };
  const lookInTurn = inTurns(look);
  const refresh = () => void lookInTurn('').catch(logFailed);
  const timer = setInterval(refresh, lookMs);
  const table: GamePortTable = {
    get: (publicPort) => ports.get(publicPort),
    all: () => ports.values(),
    mayDial: (tunnelId, target) =>
      [...ports.values()].some(
        (port) => port.tunnelId === tunnelId && port.target === target && !port.isSuspended,
      ),
    isCurrent: () => performance.now() - readAt < currentMs,
    refresh,
    onLook: () => {},
    stop: () => clearInterval(timer),
  };
  return table;
}

function differ(before: GamePort | undefined, after: GamePort | undefined): boolean {
  const facts = ['id', 'target', 'tunnelId', 'isSuspended', 'rules'] as const;
  return facts.some((fact) => before?.[fact] !== after?.[fact]);
}
