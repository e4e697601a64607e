import { createTransport } from 'nodemailer';
import type { MailSettings } from '#server/core/config.ts';
import { headersOf } from './headers.ts';
import { MailDeferred, type Mailer, MailRefused } from './mailer.ts';

const CONNECTIONS = 4;
/** A mail is sent within this or has failed: shorter than the wait for its next try. */
const SEND_MS = 40_000;
const STEP_MS = 15_000;
/** Below what servers allow (RFC 5321 section 4.5.3.2: 5 minutes), so that no line is dead when it is used. */
const IDLE_MS = 60_000;

/**
 * Sends by SMTP, over a few connections that are kept open for a while. `smtps:` is TLS from the first byte; `smtp:`
 * turns to TLS where the server offers it, and insists on it before a password is said.
 */
export function createSmtpMailer({ url, from }: MailSettings): Mailer {
  const transport = createTransport(
    {
      url,
      pool: true,
      maxConnections: CONNECTIONS,
      // Trying again is for who waits longer than a moment between the tries.
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
  return {
    transport: 'smtp',
    async send(mail) {
      const { to, subject, text, html, messageId } = mail;
      try {
        await transport.sendMail({
          // As it is: a text with a comma in it is not two recipients.
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
    async close() {
      transport.close();
    },
  };
}

/**
 * What an error means for the mail. Of the server's words only the numbers are kept: the rest may repeat the address.
 * A refusal of the sender or of our password is ours to put right, and says nothing about the recipient.
 */
function judge(error: unknown): Error {
  const { code = 'unknown', responseCode, command, response = '' } = factsOf(error);
  if (responseCode === undefined) return new MailDeferred(`not sent: ${code}`);
  const detail = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
  const said = `${responseCode}${detail ? ` ${detail}` : ''}`;
  const isOfThisMail = command === 'RCPT TO' || code === 'EMESSAGE';
  return responseCode >= 500 && isOfThisMail
    ? new MailRefused(`refused: ${said}`)
    : new MailDeferred(`not sent: ${said} (${code})`);
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
