import { isDeepStrictEqual } from 'node:util';
import type { LiveMessage } from '@talpa/contracts';
import type { Client } from '@talpa/test-kit/client';
import { readLive } from '@talpa/test-kit/live';
import { until } from '@talpa/test-kit/wait';
import { expect } from 'vitest';

/** What somebody looks at. */
export interface Look {
  /** Whether the panel reads it again after this message: as `invalidatedQueries` of panel-kit says, which needs a browser. */
  isOutdatedBy(message: LiveMessage): boolean;
  read(): Promise<unknown>;
}

/** Somebody with an open page: they read once, and again only what a live message outdates, as the panel does. */
export interface Onlooker {
  /** What has come by their live stream. */
  readonly messages: readonly LiveMessage[];
  /** Waits until they see this, by name; otherwise the test fails, with what they see. */
  sees(when: string, expected: Readonly<Record<string, unknown>>): Promise<void>;
  close(): void;
}

/** Opens the page of a signed-in user. */
export async function openPage(
  { base, cookie }: Client,
  looks: Readonly<Record<string, Look>>,
): Promise<Onlooker> {
  const live = await readLive(base, cookie);
  await live.saw({ type: 'refetch' });
  const seen: Record<string, unknown> = {};
  let done = 0;
  const follow = async () => {
    const came = live.messages.slice(done);
    done += came.length;
    for (const [name, look] of Object.entries(looks))
      if (came.some((message) => message.type === 'refetch' || look.isOutdatedBy(message)))
        seen[name] = await look.read();
  };
  return {
    messages: live.messages,
    sees: async (when, expected) => {
      const isSeen = async () => {
        await follow();
        return isDeepStrictEqual(seen, expected);
      };
      await until(when, isSeen).catch(() => expect(seen, when).toEqual(expected));
    },
    close: live.close,
  };
}
