import type { StructBuilder } from './builder.ts';
import { ProtocolError } from './error.ts';
import type { StructReader } from './reader.ts';

/** The interface a connector registers its connections with, and its methods. */
export const registrationServer = 0xf71695ec7fe85497n;
export const methods = {
  registerConnection: 0,
  unregisterConnection: 1,
  updateLocalConfiguration: 2,
} as const;

/** Who a connector says it is, for one of its connections. */
export interface RegisterRequest {
  readonly tunnelId: string;
  readonly secret: Buffer;
  readonly connectorId: string;
  readonly index: number;
  readonly version: string;
  readonly arch: string;
  readonly features: readonly string[];
  /** It takes the place of a connection of its own that may still be held. */
  readonly replaceExisting: boolean;
}

/** The response to a registration. */
export type RegisterResponse =
  | { readonly connectionId: string; readonly location: string; readonly remotelyManaged: boolean }
  | { readonly cause: string; readonly retryAfterMs: number; readonly shouldRetry: boolean };

const uuidBytes = 16;
const maximumSecret = 256;
const maximumText = 255;
const maximumFeatures = 64;

/** @throws ProtocolError when it is none. */
export function readRegisterRequest(params: StructReader): RegisterRequest {
  const auth = params.struct(0);
  const options = params.struct(2);
  const client = options.struct(0);
  return {
    tunnelId: uuidOf(params.bytes(1, uuidBytes)),
    secret: auth.bytes(1, maximumSecret),
    connectorId: uuidOf(client.bytes(0, uuidBytes)),
    index: params.uint8(0),
    version: shown(client.text(2, maximumText)),
    arch: shown(client.text(3, maximumText)),
    features: client.texts(1, maximumFeatures, maximumText).map(shown),
    replaceExisting: options.bool(0),
  };
}

/** Fills a payload with the parameters: what a connector writes. */
export function writeRegisterRequest(payload: StructBuilder, request: RegisterRequest): void {
  const params = payload.struct(0, 1, 3).uint8(0, request.index);
  params.struct(0, 0, 2).text(0, 'account').bytes(1, request.secret);
  params.bytes(1, bytesOfUuid(request.tunnelId));
  const options = params.struct(2, 1, 2).uint8(0, request.replaceExisting ? 1 : 0);
  options
    .struct(0, 0, 4)
    .bytes(0, bytesOfUuid(request.connectorId))
    .texts(1, request.features)
    .text(2, request.version)
    .text(3, request.arch);
  options.bytes(1, Uint8Array.of(127, 0, 0, 1));
}

/** Fills a payload with the response. */
export function writeRegisterResponse(payload: StructBuilder, response: RegisterResponse): void {
  const result = payload.struct(0, 0, 1).struct(0, 1, 1);
  if ('cause' in response) {
    const error = result.struct(0, 2, 1);
    error.uint64(0, BigInt(response.retryAfterMs) * 1_000_000n).uint8(8, response.shouldRetry ? 1 : 0);
    error.text(0, response.cause);
    return;
  }
  const details = result.uint16(0, 1).struct(0, 1, 2);
  details.uint8(0, response.remotelyManaged ? 1 : 0);
  details.bytes(0, bytesOfUuid(response.connectionId)).text(1, response.location);
}

/** @param results a return's content. @throws ProtocolError when it is none. */
export function readRegisterResponse(results: StructReader): RegisterResponse {
  const result = results.struct(0);
  const body = result.struct(0);
  if (result.uint16(0) === 0)
    return {
      cause: body.text(0, maximumText),
      retryAfterMs: Number(body.uint64(0) / 1_000_000n),
      shouldRetry: body.bool(64),
    };
  return {
    connectionId: uuidOf(body.bytes(0, uuidBytes)),
    location: body.text(1, maximumText),
    remotelyManaged: body.bool(0),
  };
}

function uuidOf(bytes: Buffer): string {
  if (bytes.length !== uuidBytes) throw new ProtocolError('an id that is none');
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function bytesOfUuid(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** Texts of a peer are stored and shown: without control characters, which Postgres would refuse too. */
function shown(text: string): string {
  return text.replace(/\p{Cc}/gu, '');
}
