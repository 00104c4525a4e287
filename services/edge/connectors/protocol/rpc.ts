import type { StructBuilder } from './builder.ts';
import { ProtocolError } from './error.ts';
import { FrameReader } from './framing.ts';
import { type Call, readMessage, returnCapability, returnException, returnResults } from './messages.ts';
import type { StructReader } from './reader.ts';

/** Runs one method: gives the function that fills the payload, or nothing for an empty response. */
export type Method = (params: StructReader) => Promise<((payload: StructBuilder) => void) | undefined>;

const maximumOpenQuestions = 16;
const maximumMessages = 1_024;
const emptyStruct = (payload: StructBuilder) => void payload.struct(0, 0, 0);

export interface RpcServer {
  readonly interfaceId: bigint;
  readonly methods: Readonly<Record<number, Method>>;
  /** The stream has ended, or what came was no message; called once. */
  onEnd(error: Error | null): void;
}

/** What the stream that it is served on must call. */
export interface RpcStream {
  take(piece: Buffer): void;
  /** The stream has ended or closed; the second call does nothing. */
  end(): void;
}

/**
 * Serves Cap'n Proto's RPC, as far as a connector needs it: one capability, whose methods return
 * plain data. Calls are served in the order they come.
 * @param send writes to the stream.
 */
export function serveRpc(send: (message: Buffer) => void, server: RpcServer): RpcStream {
  const frames = new FrameReader();
  /** Questions that have not been finished; true when the response is the capability. */
  const questions = new Map<number, boolean>();
  let messages = 0;
  let order = Promise.resolve();
  let ended = false;
  const end = (error: Error | null) => {
    if (ended) return;
    ended = true;
    server.onEnd(error);
  };
  const respond = (message: Buffer) => {
    if (!ended) send(message);
  };

  const open = (id: number, isCapability: boolean) => {
    if (questions.has(id)) throw new ProtocolError('a question asked twice');
    if (questions.size >= maximumOpenQuestions) throw new ProtocolError('too many questions');
    questions.set(id, isCapability);
  };
  const isKnown = ({ target }: Call) =>
    'exportId' in target ? target.exportId === 0 : questions.get(target.questionId) === true;
  const serve = async ({ questionId, interfaceId, method, params }: Call, known: boolean) => {
    const run = server.methods[method];
    if (!known) return respond(returnException(questionId, 'failed', 'unknown capability'));
    if (!run || interfaceId !== server.interfaceId)
      return respond(returnException(questionId, 'unimplemented', 'unknown method'));
    respond(returnResults(questionId, (await run(params)) ?? emptyStruct));
  };

  const queue = (message: Call) => {
    open(message.questionId, false);
    // Whether it is known is decided as it comes: the question it names may be finished while it waits.
    const known = isKnown(message);
    order = order.then(() => (ended ? undefined : serve(message, known))).catch(end);
  };

  const handle = (segments: Buffer[]) => {
    messages += 1;
    if (messages > maximumMessages) throw new ProtocolError('too many messages');
    const message = readMessage(segments);
    switch (message.kind) {
      case 'bootstrap':
        open(message.questionId, true);
        return respond(returnCapability(message.questionId));
      case 'call':
        return queue(message);
      case 'finish':
        questions.delete(message.questionId);
        return;
      case 'abort':
        return end(null);
      case 'return':
        throw new ProtocolError('an answer to no question');
    }
  };
  const take = (piece: Buffer) => {
    if (ended) return;
    try {
      for (const segments of frames.push(piece)) if (!ended) handle(segments);
    } catch (error) {
      end(error instanceof ProtocolError ? error : new ProtocolError(String(error)));
    }
  };
  return { take, end: () => end(null) };
}
