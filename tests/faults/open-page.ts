import { setTimeout as pause } from 'node:timers/promises';
import type { ProxyConfig } from '@talpa/contracts';
import type { Client } from '@talpa/test-kit/client';
import { readLive } from '@talpa/test-kit/live';

const retryMs = 100;

/** What of the list one looks at. */
const rowOf = ({ id, serverName, adminPort, status }: ProxyConfig) => ({ id, serverName, adminPort, status });
export const rowsOf = (list: readonly ProxyConfig[]) => list.map(rowOf).toSorted((a, b) => a.id - b.id);

/**
 * The list of somebody’s proxies on a page that stays open: like the panel it connects again when its live stream ends, and reads the
 * list only when a message outdates it.
 */
export class OpenPage {
  shown: ReturnType<typeof rowsOf> | null = null;
  private readonly client: Client;
  private isClosed = false;

  constructor(client: Client) {
    this.client = client;
    void this.follow();
  }

  close(): void {
    this.isClosed = true;
  }

  private async follow(): Promise<void> {
    const { base } = this.client;
    while (!this.isClosed) {
      const live = await readLive(base, this.client.cookie).catch(() => null);
      let done = 0;
      while (live && !this.isClosed && !live.ended()) {
        const came = live.messages.slice(done);
        done += came.length;
        if (came.some(({ type }) => type === 'proxy' || type === 'refetch')) await this.read();
        await pause(retryMs);
      }
      live?.close();
      await pause(retryMs);
    }
  }

  /** Until there is a response: the panel asks again, too. */
  private async read(): Promise<void> {
    while (!this.isClosed) {
      const response = await this.client.try('GET /api/tunnel-configs', {}).catch(() => null);
      if (response?.status === 200) {
        this.shown = rowsOf(response.body as ProxyConfig[]);
        return;
      }
      await pause(retryMs);
    }
  }
}
