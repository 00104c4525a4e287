import type { Duplex } from 'node:stream';
import { FrameReader } from '../../../services/edge/connectors/protocol/framing.ts';
import { bootstrap, call, finish, readMessage } from '../../../services/edge/connectors/protocol/messages.ts';
import type { StructReader } from '../../../services/edge/connectors/protocol/reader.ts';
import {
  methods,
  type RegisterRequest,
  type RegisterResponse,
  readRegisterResponse,
  registrationServer,
  writeRegisterRequest,
} from '../../../services/edge/connectors/protocol/registration.ts';

/** The connector's half of the control stream, in the order the recordings show. */
export class RpcClient {
  private readonly stream: Duplex;
  private readonly waiting = new Map<number, (content: StructReader) => void>();
  private readonly ended: Promise<never>;

  constructor(stream: Duplex) {
    this.stream = stream;
    const frames = new FrameReader();
    stream.on('data', (piece: Buffer) => {
      for (const segments of frames.push(piece)) {
        const message = readMessage(segments);
        if (message.kind !== 'return') continue;
        this.waiting.get(message.answerId)?.(message.body.struct(0));
        this.stream.write(finish(message.answerId));
      }
    });
    this.ended = new Promise((_, reject) => {
      stream.once('close', () => reject(new Error('the control stream was closed')));
    });
    this.ended.catch(() => {});
  }

  async register(request: RegisterRequest): Promise<RegisterResponse> {
    this.stream.write(bootstrap(0));
    this.stream.write(
      call(1, { questionId: 0 }, registrationServer, methods.registerConnection, (payload) =>
        writeRegisterRequest(payload, request),
      ),
    );
    const payload = await this.response(1);
    return readRegisterResponse(payload.struct(0));
  }

  async unregister(): Promise<void> {
    const noParameters = call(
      1,
      { exportId: 0 },
      registrationServer,
      methods.unregisterConnection,
      (payload) => void payload.struct(0, 0, 0),
    );
    this.stream.write(noParameters);
    await this.response(1).catch(() => {});
  }

  private response(id: number): Promise<StructReader> {
    return Promise.race([this.ended, new Promise<StructReader>((resolve) => this.waiting.set(id, resolve))]);
  }
}
