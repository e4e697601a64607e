import { createHash } from 'node:crypto';
import { systemClock } from '#server/core/clock.ts';
import { headersOf } from '#server/providers/mail/headers.ts';
import type { Mail, Mailer } from '#server/providers/mail/mailer.ts';
import type { SandboxStore } from '../store.ts';

/** A mail as the developer's page shows it. */
export interface KeptMail extends Mail {
  readonly id: string;
  /** The headers that it would have gone out with, by their names. */
  readonly headers: Readonly<Record<string, string>>;
  /** ISO 8601, UTC */
  readonly keptAt: string;
}

/** Keeps mail for the developer's page instead of sending it. */
export interface Outbox extends Mailer {
  readonly kept: {
    /** The newest first. */
    list(): Promise<KeptMail[]>;
    find(id: string): Promise<KeptMail | null>;
  };
}

const KIND = 'mail';
/** Older ones make room. */
const KEPT = 200;

export function createOutbox(store: SandboxStore): Outbox {
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
