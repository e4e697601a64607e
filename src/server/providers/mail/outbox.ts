import { isThisMachine } from '#server/core/proxies.ts';
import { headersOf, MailDeferred, type Mailer } from './mailer.ts';

/** Gives mail to the sandbox, which shows it on a page for developers. */
export function createOutboxMailer(sandboxUrl: string): Mailer {
  return {
    transport: 'outbox',
    async send(mail) {
      const { unsubscribeUrl: _, ...rest } = mail;
      const answer = await fetch(`${sandboxUrl}/outbox`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...rest, headers: headersOf(mail) }),
      });
      if (!answer.ok) throw new MailDeferred(`not kept: ${answer.status}`);
    },
    async check() {},
    pageOf: (address, ip) => (isThisMachine(ip) ? `/sandbox/mail/to/${encodeURIComponent(address)}` : null),
    async close() {},
  };
}
