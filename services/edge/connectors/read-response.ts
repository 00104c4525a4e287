import type { ClientHttp2Stream } from 'node:http2';

const maximumBytes = 65_536;

/**
 * The body of a response as text. To be called in the turn in which the stream is opened: head, body and
 * end may come at once.
 * @throws Error for another status than 200, or a body that is too long.
 */
export function readResponse(stream: ClientHttp2Stream): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  let status: number | undefined;
  const give = (why: string) => {
    reject(new Error(why));
    stream.close();
  };
  stream.setEncoding('utf8');
  stream.once('response', (headers) => {
    status = headers[':status'];
    if (status !== 200) give(`responded with status ${status}`);
  });
  stream.on('data', (piece: string) => {
    text += piece;
    if (text.length > maximumBytes) give('the response is too long');
  });
  stream.once('end', () => status === 200 && stream.rstCode === 0 && resolve(text));
  stream.once('error', reject);
  // A stream may close without a word.
  stream.once('close', () => reject(new Error('closed before its response')));
  return promise;
}
