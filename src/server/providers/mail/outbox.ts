import { createHash } from 'node:crypto';
import { systemClock } from '#server/core/clock.ts';
import type { SandboxStore } from '../sandbox/store.ts';
import { headersOf } from './headers.ts';
import type { KeptMail, Mailer } from './mailer.ts';

const KIND = 'mail';
/** Older ones make room. */
const KEPT = 200;

/** Keeps mail for the developer's page instead of sending it: the last 200. */
export function createOutboxMailer(store: SandboxStore): Mailer {
  return {
    transport: 'outbox',
    async send(mail) {
      // The same mail sent again is the same mail.
      const id = createHash('sha256').update(mail.messageId).digest('hex').slice(0, 20);
      const kept: KeptMail = {
        ...mail,
        id,
        headers: {
          To: mail.to,
          Subject: mail.subject,
          'Message-ID': mail.messageId,
          ...headersOf(mail),
        },
        keptAt: systemClock().toISOString(),
      };
      await store.put(KIND, id, kept);
      await store.trim(KIND, KEPT);
    },
    kept: {
      async list() {
        return ((await store.list(KIND)) as KeptMail[]).reverse();
      },
      async find(id) {
        return ((await store.get(KIND, id)) as KeptMail | undefined) ?? null;
      },
    },
    async close() {},
  };
}
