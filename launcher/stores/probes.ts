import { connect } from 'node:net';
import { openBus, streamsOf } from '@talpa/service-kit/bus/connect';
import { takesMessages } from '@talpa/service-kit/bus/probe';
import { openDatabase } from '@talpa/service-kit/database/connect';
import { freeBytesOf } from '@talpa/service-kit/disk';

/** Less is no room for a message: JetStream writes blocks. */
const roomBytes = 16_000_000;

/** Resolves when Redis says anything at all; that it wants a password is a sign of life, too. */
export async function probeRedis(socketPath: string, signal: AbortSignal): Promise<void> {
  const socket = connect({ path: socketPath, signal });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.on('connect', () => socket.write('PING\r\n'));
      socket.once('data', () => resolve());
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('closed')));
    });
  } finally {
    socket.destroy();
  }
}

/** Resolves when Postgres lets a new connection in, or says why it does not: who recovers or is full does not hang. */
export async function probePostgres(url: string, signal: AbortSignal): Promise<void> {
  const sql = openDatabase(url, 1, false);
  const giveUp = () => void sql.end({ timeout: 0 });
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await sql`select 1`;
  } catch (error) {
    if (!isSqlState(error)) throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
    await sql.end({ timeout: 0 });
  }
}

const isSqlState = (error: unknown) =>
  error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code));

/**
 * Resolves when NATS lets a new connection in, and JetStream takes a message. Once the disk was full it may take none
 * any more although there is room again; only while there is none that is no reason to restart it.
 * @param url the operator's. @param folder where it keeps its data
 */
export async function probeNats(url: string, folder: string): Promise<void> {
  const nc = await openBus(url, 'operator');
  try {
    await takesMessages(streamsOf(nc)).catch(async (error) => {
      if (((await freeBytesOf(folder)) ?? roomBytes) >= roomBytes) throw error;
    });
  } finally {
    // It would wait for the server.
    void nc.close();
  }
}
