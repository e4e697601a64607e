import type { MailSettings } from '#server/core/provider-settings.ts';
import { headersOf, MailDeferred, type Mailer, MailRefused } from './mailer.ts';

const CONNECTIONS = 4;
/** Limit for sending one mail; shorter than the wait before the next attempt. */
const SEND_MS = 40_000;
const STEP_MS = 15_000;
/** Shorter than what servers allow (RFC 5321 section 4.5.3.2: 5 minutes), so that no dead connection is used. */
const IDLE_MS = 60_000;

/**
 * Sends over SMTP with a few pooled connections. `smtps:` starts with TLS. `smtp:` switches to TLS if the server offers
 * it, and requires it before a password is sent.
 */
export function createSmtpMailer({ url, from }: MailSettings): Mailer {
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport(
      {
        url,
        pool: true,
        maxConnections: CONNECTIONS,
        // The mail job retries, with longer waits.
        maxRequeues: 0,
        requireTLS: new URL(url).username !== '',
        connectionTimeout: STEP_MS,
        greetingTimeout: STEP_MS,
        socketTimeout: STEP_MS,
        dnsTimeout: STEP_MS,
        idleTimeout: IDLE_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    );
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    transport: 'smtp',
    async send(mail) {
      const { to, subject, text, html, messageId } = mail;
      opened ??= open();
      const transport = await opened;
      try {
        await transport.sendMail({
          // As an object: a text with a comma would become two recipients.
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId,
          headers: headersOf(mail),
          signal: AbortSignal.timeout(SEND_MS),
        });
      } catch (error) {
        throw judge(error);
      }
    },
    async check() {
      opened ??= open();
      const transport = await opened;
      await transport.verify().catch((error: unknown) => {
        throw judge(error);
      });
    },
    async close() {
      (await opened)?.close();
    },
  };
}

/**
 * Decides whether to try again. Only the numbers of the server's answer are kept: the text may repeat the address. A
 * refusal of the sender or the password is our mistake and says nothing about the recipient.
 */
function judge(error: unknown): Error {
  const { code = 'unknown', responseCode, command, response = '' } = factsOf(error);
  if (responseCode === undefined) return new MailDeferred(`not sent: ${code}`);
  const detail = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const reply = `${responseCode}${detail ? ` ${detail}` : ''}`;
  const isOfThisMail = command === 'RCPT TO' || code === 'EMESSAGE';
  return responseCode >= 500 && isOfThisMail
    ? new MailRefused(`refused: ${reply}`)
    : new MailDeferred(`not sent: ${reply} (${code})`);
}

interface SmtpFacts {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
  readonly response?: string;
}

function factsOf(error: unknown): SmtpFacts {
  return error instanceof Error ? (error as SmtpFacts) : {};
}
