import { once } from 'node:events';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { MailSettings } from '#server/core/provider-settings.ts';

/** A mail as received over SMTP. */
interface ReceivedMail {
  /** The only recipient of the envelope. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId: string;
  /** A header by its lower-case name, unfolded; undefined if it is missing. */
  header(name: string): string | undefined;
}

/** How the server answers a recipient: accepts it, refuses it with an SMTP status, or cuts the connection. */
type MailFate = 'take' | 'cut' | { readonly status: number; readonly text: string };

export interface MailServer {
  readonly settings: MailSettings;
  /** The accepted mails, in order. */
  readonly mails: ReceivedMail[];
  /** Resolves when `count` mails in total have been accepted. */
  waitFor(count: number): Promise<readonly ReceivedMail[]>;
  /** Sets how later mails are answered; called with the address of each. */
  decide(fate: (to: string) => MailFate): void;
  close(): Promise<void>;
}

function received(to: string, email: Email): ReceivedMail {
  return {
    to,
    subject: email.subject ?? '',
    text: email.text ?? '',
    html: email.html ?? '',
    messageId: email.messageId ?? '',
    header: (name) => email.headers.find(({ key }) => key === name)?.value,
  };
}

class Refusal extends Error {
  readonly responseCode: number;
  constructor(status: number, text: string) {
    super(text);
    this.responseCode = status;
  }
}

/** Starts a real SMTP server on a free loopback port. It accepts and keeps every mail unless told otherwise. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const waiting = new Set<() => void>();
  let decide: (to: string) => MailFate = () => 'take';

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onRcptTo({ address }, _session, callback) {
      const fate = decide(address);
      if (fate === 'take') return callback();
      if (fate === 'cut') {
        for (const { _socket } of server.connections) _socket.destroy();
        return;
      }
      callback(new Refusal(fate.status, fate.text));
    },
    onData(stream, { envelope }, callback) {
      void keep(stream, envelope.rcptTo[0]?.address ?? '').then(() => callback(), callback);
    },
  });
  // A cut connection must not fail the test.
  server.on('error', () => {});

  async function keep(stream: AsyncIterable<Buffer>, to: string): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    mails.push(received(to, await PostalMime.parse(Buffer.concat(chunks))));
    for (const wake of waiting) wake();
  }

  const socket = server.listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const address = socket.address();
  const port = address && typeof address === 'object' ? address.port : 0;

  return {
    settings: { url: `smtp://127.0.0.1:${port}`, from: 'ClipSwap <hello@clipswap.example>' },
    mails,
    async waitFor(count) {
      while (mails.length < count) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
      return mails;
    },
    decide(fate) {
      decide = fate;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
