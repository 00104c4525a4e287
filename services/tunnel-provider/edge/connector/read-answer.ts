import { once } from 'node:events';
import type { ClientHttp2Stream, IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2';

const maximumBytes = 65_536;

/** The body of an answer as text. @throws Error for another status than 200, or a body that is too long. */
export async function readAnswer(stream: ClientHttp2Stream): Promise<string> {
  stream.setEncoding('utf8');
  // A stream may close without a word.
  const closed = new AbortController();
  stream.once('close', () => closed.abort(new Error('closed before its answer')));
  const [headers] = (await once(stream, 'response', { signal: closed.signal })) as [
    IncomingHttpHeaders & IncomingHttpStatusHeader,
  ];
  if (headers[':status'] !== 200) {
    stream.close();
    throw new Error(`answered with status ${headers[':status']}`);
  }
  let text = '';
  for await (const piece of stream) {
    text += piece;
    if (text.length > maximumBytes) throw new Error('an answer that is too long');
  }
  return text;
}
