import { type LiveMessage, liveMessage } from '@talpa/contracts';
import { until } from './wait.ts';

/** A live stream being read. */
export interface Reader {
  readonly status: number;
  readonly headers: Headers;
  /** What came so far, each checked against the contract. */
  readonly messages: LiveMessage[];
  /** Everything that came, as it came. */
  text(): string;
  /** Whether the other side has ended it. */
  ended(): boolean;
  /** Waits for a message that has these fields. */
  saw(fields: object): Promise<LiveMessage>;
  close(): void;
}

/** Opens `GET /api/events` with a session's cookie and reads on until it is closed. */
export async function readLive(
  base: string,
  cookie: string,
  headers: Record<string, string> = {},
): Promise<Reader> {
  const abort = new AbortController();
  const response = await fetch(`${base}/api/events`, {
    headers: { cookie, ...headers },
    signal: abort.signal,
  });
  const messages: LiveMessage[] = [];
  let text = '';
  let ended = false;
  const read = async () => {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true });
      text += piece;
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        if (line.startsWith('data: ')) messages.push(liveMessage.parse(JSON.parse(line.slice(6))));
    }
  };
  void read()
    .catch(() => {})
    .finally(() => {
      ended = true;
    });
  const matches = (message: LiveMessage, fields: object) =>
    Object.entries(fields).every(([name, value]) => (message as Record<string, unknown>)[name] === value);
  return {
    status: response.status,
    headers: response.headers,
    messages,
    text: () => text,
    ended: () => ended,
    saw: (fields) =>
      until(`the message ${JSON.stringify(fields)}`, () => messages.find((one) => matches(one, fields))),
    close: () => abort.abort(),
  };
}
