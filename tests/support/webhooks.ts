import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/people/webhooks.ts';
import type { Actor } from '#server/context/context.ts';
import { sendDeliveries } from '#server/people/webhooks/sending.ts';
import { createWebhook, listDeliveries } from '#server/people/webhooks/service.ts';
import type { WebhookAnswer } from '#server/providers/webhooks/webhooks.ts';
import { actingAs, createTestClock, createTestContext, createUser } from './builders.ts';
import type { TestDatabase } from './database.ts';

export const TAKEN: WebhookAnswer = { status: 200, problem: null };

export interface SentWebhook {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A market whose webhooks go to receivers of the test. The clock begins now, because libraries of receivers use it. */
export function openReceivers(database: Pick<TestDatabase, 'db'>) {
  const base = createTestContext(database, { clock: createTestClock(new Date()) });
  const sent: SentWebhook[] = [];
  let endpoints = 0;
  const receivers = {
    /** What a receiver answers. */
    answer: async (_sent: SentWebhook): Promise<WebhookAnswer> => TAKEN,
    /** What receivers were sent. */
    sent,
    ctx: {
      ...base,
      providers: {
        ...base.providers,
        webhooks: {
          problemOf: async () => null,
          send(url: string, headers: SentWebhook['headers'], body: string) {
            sent.push({ url, headers, body });
            return receivers.answer({ url, headers, body });
          },
        },
      },
    },
    /** Gives a person an address. */
    async listening(person: Actor, given: { events?: readonly WebhookEvent[]; isForAll?: boolean } = {}) {
      endpoints += 1;
      const url = `https://shop.example/${endpoints}`;
      const { events = WEBHOOK_EVENTS, isForAll = false } = given;
      const made = await createWebhook(actingAs(receivers.ctx, person), {
        url,
        events: [...events],
        isForAll,
      });
      return { ...made, url };
    },
    /** Somebody with an address; an admin where it is for all events. */
    async someone(given: { events?: readonly WebhookEvent[]; isForAll?: boolean } = {}) {
      const person = await createUser(receivers.ctx, given.isForAll ? { role: 'admin' } : {});
      return { person, ...(await receivers.listening(person, given)) };
    },
    send: () => sendDeliveries(receivers.ctx),
    /** The types of the events that were sent to an address. */
    typesTo: (url: string) => sent.filter((one) => one.url === url).map(({ body }) => JSON.parse(body).type),
    async log(person: Actor, id: number) {
      return (await listDeliveries(actingAs(receivers.ctx, person), { id, page: 1, limit: 50 })).items;
    },
  };
  return receivers;
}
