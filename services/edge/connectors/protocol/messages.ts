import { MessageBuilder, type StructBuilder } from './builder.ts';
import { ProtocolError } from './error.ts';
import { StructReader } from './reader.ts';

/** The kinds of Cap'n Proto's RPC messages that a connector and an edge exchange, by their number. */
const kinds = { abort: 1, call: 2, return: 3, finish: 4, release: 6, bootstrap: 8 } as const;
const unimplemented = 0;
const maximumReason = 4_096;

/** Whom a call is for: something we export, or the response to an earlier question. */
export type CallTarget = { readonly exportId: number } | { readonly questionId: number };

export interface Call {
  readonly kind: 'call';
  readonly questionId: number;
  readonly target: CallTarget;
  readonly interfaceId: bigint;
  readonly method: number;
  /** The parameters' struct. */
  readonly params: StructReader;
}

/** What the other side may say. */
export type RpcMessage =
  | { readonly kind: 'bootstrap'; readonly questionId: number }
  | Call
  | { readonly kind: 'finish'; readonly questionId: number }
  | { readonly kind: 'release' }
  | { readonly kind: 'unimplemented' }
  | { readonly kind: 'abort'; readonly reason: string }
  | { readonly kind: 'return'; readonly answerId: number; readonly body: StructReader };

/** Reads one message. @throws ProtocolError for anything else. */
export function readMessage(segments: readonly Buffer[]): RpcMessage {
  const root = StructReader.root(segments);
  const body = root.struct(0);
  const kind = root.uint16(0);
  switch (kind) {
    case kinds.bootstrap:
      return { kind: 'bootstrap', questionId: body.uint32(0) };
    case kinds.call:
      return readCall(body);
    case kinds.return:
      return { kind: 'return', answerId: body.uint32(0), body };
    case kinds.finish:
      return { kind: 'finish', questionId: body.uint32(0) };
    case kinds.release:
      return { kind: 'release' };
    case unimplemented:
      return { kind: 'unimplemented' };
    case kinds.abort:
      return { kind: 'abort', reason: body.text(0, maximumReason) };
    default:
      throw new ProtocolError(`unexpected message ${kind}`);
  }
}

function readCall(body: StructReader): Call {
  const target = body.struct(0);
  return {
    kind: 'call',
    questionId: body.uint32(0),
    interfaceId: body.uint64(8),
    method: body.uint16(4),
    target: readTarget(target),
    params: body.struct(1).struct(0),
  };
}

function readTarget(target: StructReader): CallTarget {
  const kind = target.uint16(4);
  if (kind === 0) return { exportId: target.uint32(0) };
  const answer = target.struct(0);
  // Whatever we answer is the capability itself: there is nothing to go into.
  if (kind !== 1 || answer.listLength(0) > 0) throw new ProtocolError('unexpected target of a call');
  return { questionId: answer.uint32(0) };
}

/** Begins a message of one kind with a body of that shape. */
function begin(kind: keyof typeof kinds, dataWords: number, pointers: number) {
  const message = new MessageBuilder();
  const root = message.root(1, 1).uint16(0, kinds[kind]);
  return { message, body: root.struct(0, dataWords, pointers) };
}

/** Answers a question with our one capability, as export 0. */
export function returnCapability(answerId: number): Buffer {
  const { message, body } = begin('return', 2, 1);
  const payload = body.uint32(0, answerId).struct(0, 0, 2).capability(0, 0);
  // Hosted by the sender.
  payload.structs(1, 1, 1, 1)[0]?.uint16(0, 1);
  return message.finish();
}

/** Answers a question with results; `write` fills the payload's pointer 0, or leaves it empty. */
export function returnResults(answerId: number, write: (payload: StructBuilder) => void): Buffer {
  const { message, body } = begin('return', 2, 1);
  write(body.uint32(0, answerId).struct(0, 0, 2));
  return message.finish();
}

/** What kind of failure an exception means. */
const exceptions = { failed: 0, unimplemented: 3 } as const;

export function returnException(answerId: number, kind: keyof typeof exceptions, reason: string): Buffer {
  const { message, body } = begin('return', 2, 1);
  // Bits 48–63: an exception instead of results.
  body.uint32(0, answerId).uint16(6, 1);
  body.struct(0, 1, 2).uint16(4, exceptions[kind]).text(0, reason);
  return message.finish();
}

export function bootstrap(questionId: number): Buffer {
  const { message, body } = begin('bootstrap', 1, 1);
  body.uint32(0, questionId);
  return message.finish();
}

export function finish(questionId: number): Buffer {
  const { message, body } = begin('finish', 1, 1);
  body.uint32(0, questionId);
  return message.finish();
}

export function abort(reason: string): Buffer {
  const { message, body } = begin('abort', 1, 1);
  body.text(0, reason);
  return message.finish();
}

/** Asks something; `write` fills the payload's pointer 0 with the parameters. */
export function call(
  questionId: number,
  target: CallTarget,
  interfaceId: bigint,
  method: number,
  write: (payload: StructBuilder) => void,
): Buffer {
  const { message, body } = begin('call', 3, 3);
  body.uint32(0, questionId).uint16(4, method).uint64(8, interfaceId);
  const to = body.struct(0, 1, 1);
  if ('exportId' in target) to.uint32(0, target.exportId);
  else to.uint16(4, 1).struct(0, 1, 1).uint32(0, target.questionId);
  write(body.struct(1, 0, 2));
  return message.finish();
}
