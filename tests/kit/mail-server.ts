import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** What the server does when it has received an email: accepts it, refuses it with this code, says nothing, or hangs up. */
export type Answer = 'accept' | number | 'hang' | 'drop';

export interface ReceivedMail extends Email {
  /** The address in the envelope; several are lines. */
  readonly recipient: string;
  /** Whether it was accepted, as the server sees it; one whose answer was lost was, too. */
  readonly answer: Answer;
}

/** A real mail server on this machine that does what a test wants. */
export interface MailServer {
  /** For SMTP_URL. */
  readonly url: string;
  /** What has arrived whole, the oldest first. */
  readonly received: readonly ReceivedMail[];
  /** How it answers the end of an email from now on. */
  onEnd(answer: (mail: Email) => Answer): void;
  /** The code with which it refuses a recipient from now on; null: none. */
  onRecipient(code: (address: string) => number | null): void;
  /** Ends all connections without a word. */
  hangUp(): void;
  stop(): Promise<void>;
}

interface Spoken {
  readonly _socket: Socket;
}

const refusal = (code: number) =>
  Object.assign(new Error(`${code} as the test wants`), { responseCode: code });

/** @param host the address of this machine at which it listens */
export async function startMailServer(
  options: SMTPServerOptions = {},
  host = '127.0.0.1',
  wantedPort = 0,
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let answerOf: (mail: Email) => Answer = () => 'accept';
  let codeFor: (address: string) => number | null = () => null;
  const hangUp = () => {
    // The socket that is spoken to: Node dies of it when the one below TLS is destroyed.
    for (const connection of server.connections) (connection as unknown as Spoken)._socket.destroy();
  };
  const server = new SMTPServer({
    ...{
      authOptional: true,
      hideSTARTTLS: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 1,
      logger: false,
    },
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, done) => {
      const code = codeFor(address);
      done(code === null ? null : refusal(code));
    },
    onData: (stream, session, done) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of stream) chunks.push(chunk as Buffer);
        const mail = await PostalMime.parse(Buffer.concat(chunks));
        const answer = answerOf(mail);
        received.push({
          ...mail,
          recipient: session.envelope.rcptTo.map(({ address }) => address).join('\n'),
          answer,
        });
        if (answer === 'accept') done(null);
        else if (typeof answer === 'number') done(refusal(answer));
        else if (answer === 'drop') hangUp();
        // Of an email whose sender died in the middle nothing has arrived.
      })().catch(done);
    },
    ...options,
  });
  server.on('error', () => {});
  server.listen(wantedPort, host);
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `${options.secure ? 'smtps' : 'smtp'}://${host}:${port}`,
    received,
    onEnd: (answer) => {
      answerOf = answer;
    },
    onRecipient: (code) => {
      codeFor = code;
    },
    hangUp,
    stop: () => {
      hangUp();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
