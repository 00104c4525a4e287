import { connect, constants } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchangeField } from './origin.ts';
import { contentOf, piecesOf } from './plan.ts';
import type { Destination, Sent, VisitOptions, VisitorView } from './visitor.ts';
import type { WireFields } from './wire.ts';

const pairsOf = (raw: readonly string[]): WireFields =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[at * 2] ?? '', raw[at * 2 + 1] ?? ''] as const);

/** Opens a connection for HTTP/2 and makes these requests on it: one after the other, or all at once. */
export async function visitByHttp2(
  to: Destination,
  all: readonly Sent[],
  { isPipelined, isSlow }: VisitOptions,
): Promise<VisitorView[]> {
  const { port, ca, host, from } = to;
  const session = connect(`https://127.0.0.1:${port}`, {
    ca,
    servername: host,
    localAddress: from,
  } as object);
  session.on('error', () => {});
  const ask = (sent: Sent) => askOnce(session, host, sent, isSlow);
  const views: VisitorView[] = [];
  if (isPipelined) views.push(...(await Promise.all(all.map(ask))));
  else for (const sent of all) views.push(await ask(sent));
  session.destroy();
  return views;
}

async function askOnce(
  session: ReturnType<typeof connect>,
  host: string,
  sent: Sent,
  isSlow: boolean,
): Promise<VisitorView> {
  const { key, plan, name } = sent;
  const { request, breaks } = plan;
  const content = contentOf(key, request.body);
  const head = [':method', request.method, ':scheme', 'https', ':authority', host, ':path', request.target];
  for (const [one, value] of [...request.fields, [exchangeField, name] as const])
    head.push(one.toLowerCase(), value);
  if (request.framing === 'length') head.push('content-length', String(content.length));
  if (request.trailers.length > 0) head.push('trailer', 'x-sum');
  const view = {
    status: 0,
    fields: [] as WireFields,
    trailers: [] as WireFields,
    interim: [] as number[],
    isWhole: false,
  };
  const stream = session.request(head, {
    endStream: request.framing === 'none',
    waitForTrailers: request.trailers.length > 0,
  });
  const body: Buffer[] = [];
  const closed = new Promise<void>((done) => stream.once('close', () => done()));
  let fault: string | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (stream.rstCode === constants.NGHTTP2_PROTOCOL_ERROR) fault = error.message;
  });
  stream.on('headers', (headers) => view.interim.push(Number(headers[':status'])));
  stream.on('response', (headers, _flags, raw: string[]) => {
    view.status = Number(headers[':status']);
    view.fields = pairsOf(raw).filter(([one]) => one !== ':status');
  });
  stream.on('trailers', (_headers, _flags, raw: string[]) => {
    view.trailers = pairsOf(raw);
  });
  stream.on('wantTrailers', () =>
    stream.sendTrailers(
      Object.fromEntries(request.trailers.map(([one, value]) => [one.toLowerCase(), value])),
    ),
  );
  stream.on('data', (bytes: Buffer) => {
    body.push(bytes);
    if (breaks === 'visitor in the response')
      void sent.isUnderWay.promise.then(() => stream.close(constants.NGHTTP2_CANCEL));
    if (!isSlow || bytes.length < 10_000) return;
    stream.pause();
    setTimeout(() => stream.resume(), 1);
  });
  stream.on('end', () => {
    view.isWhole = stream.rstCode === 0 && view.status > 0;
  });
  if (request.framing !== 'none') void upload();
  await closed;
  return {
    ...view,
    isWhole: view.isWhole && stream.rstCode === 0,
    body: Buffer.concat(body),
    raw: Buffer.alloc(0),
    fault,
  };

  async function upload(): Promise<void> {
    for (const { piece, pause } of piecesOf(content, request.body)) {
      if (stream.destroyed) return;
      await new Promise<void>((done) => stream.write(piece, () => done()));
      if (breaks === 'visitor in the request') {
        await Promise.race([sent.isUnderWay.promise, closed]);
        stream.close(constants.NGHTTP2_CANCEL);
        return;
      }
      if (pause > 0) await sleep(pause);
    }
    if (!stream.destroyed) stream.end();
  }
}
