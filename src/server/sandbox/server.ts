import Fastify, { type FastifyReply } from 'fastify';
import type { SandboxStore } from './store.ts';

/** What a fault does to one request of a provider's API. */
export type Fault =
  /**
   * 500 before anything is done; 500 after it was done; no answer although it was done, for ever or until the
   * connection is cut after STALL_MS; the connection is cut.
   */
  'error-before' | 'error-after' | 'hang-after' | 'stall-after' | 'cut-before' | 'cut-after';

/** How long a stalled request stays open. */
const STALL_MS = 300;

/** An event that waits to be delivered. */
export interface SandboxEvent {
  readonly id: string;
  readonly type: string;
  /** The exact body that is signed and sent. */
  readonly body: string;
}

export interface SandboxOptions {
  readonly store: SandboxStore;
  /** Where the program takes webhooks: 'http://127.0.0.1:3000/api/webhooks/stripe'. Null: nowhere (yet). */
  readonly webhookUrl: () => string | null;
  /** auto: sent at once after the act, and again (after 1, 5, 30 s) while not answered with 2xx. held: kept for `deliver`. */
  readonly webhooks: 'auto' | 'held';
  /** Asked at each API request, before it is handled. */
  readonly fault?: (request: { method: string; path: string }) => Fault | null;
}

/** A running sandbox for a provider, on a port of its own on the loopback. */
export interface Sandbox {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** Events made and not yet delivered (webhooks 'held'), oldest first. */
  waiting(): SandboxEvent[];
  /** Signs now and sends; the status it was answered with. `tamper` changes the body after signing, `at` dates the signature. */
  deliver(
    event: SandboxEvent,
    options?: { tamper?: boolean; at?: Date; unsigned?: boolean },
  ): Promise<number>;
  /** Takes it off the waiting ones without sending. */
  drop(event: SandboxEvent): void;
  /** Stops listening and delivering. */
  close(): Promise<void>;
}

/** Runs acts one after another, as they come; one that fails does not hold up the next. */
export type Exclusive = <T>(act: () => Promise<T>) => Promise<T>;

/** The HTTP server of a sandbox, on a free port of the loopback. Bodies come to its routes as text. */
export function createSandboxServer({ webhooks }: Pick<SandboxOptions, 'webhooks'>) {
  const app = Fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 200 } });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));

  let last: Promise<unknown> = Promise.resolve();
  const exclusive: Exclusive = (act) => {
    const next = last.then(act);
    last = next.catch(() => {});
    return next;
  };

  const timers = new Set<NodeJS.Timeout>();
  return {
    app,
    exclusive,
    /** Does something after a while, where webhooks are sent by themselves too. */
    later(ms: number, act: () => Promise<unknown>): void {
      if (webhooks === 'held') return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        // Fails when the store is closing; the next start goes on with it.
        exclusive(act).catch(() => {});
      }, ms);
      timers.add(timer.unref());
    },
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    async close() {
      for (const timer of timers) clearTimeout(timer);
      await app.close();
    },
  };
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers a request of the API, or fails at it as the fault says. */
export async function answerWith(
  reply: FastifyReply,
  fault: Fault | null,
  serverError: Answer,
  handle: () => Promise<Answer>,
) {
  if (fault === 'cut-before') return cut(reply);
  const answer = fault === 'error-before' ? serverError : await handle();
  if (fault === 'cut-after') return cut(reply);
  if (fault === 'hang-after' || fault === 'stall-after') {
    if (fault === 'stall-after') setTimeout(() => reply.raw.destroy(), STALL_MS);
    return void reply.hijack();
  }
  const { status, body, headers = {} } = fault === 'error-after' ? serverError : answer;
  return reply.status(status).headers(headers).send(body);
}

function cut(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

/** The body of a request as it came. */
export const textOf = (body: unknown): string => (typeof body === 'string' ? body : '');

/** Seconds after which an event is sent again while nobody has taken it. */
const RETRY_SECONDS = [1, 5, 30];

export interface PostOffice extends Pick<Sandbox, 'waiting' | 'deliver' | 'drop'> {
  /** Sends an event, or keeps it for `deliver`. */
  post(event: SandboxEvent): void;
  close(): void;
}

/**
 * How a sandbox sends its webhooks: at once and again while nobody takes an event, or held until a test asks.
 * @param signed the headers that sign a body as the provider does, at an instant
 */
export function createPostOffice(
  options: Pick<SandboxOptions, 'webhooks' | 'webhookUrl'>,
  signed: (body: string, at: Date) => Readonly<Record<string, string>>,
): PostOffice {
  const held: SandboxEvent[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const closing = new AbortController();

  const deliver: PostOffice['deliver'] = async (event, { tamper = false, at, unsigned = false } = {}) => {
    const url = options.webhookUrl();
    if (url === null) return 0;
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(!unsigned && signed(event.body, at ?? new Date())),
      },
      body: tamper ? tampered(event.body) : event.body,
      signal: closing.signal,
    });
    await answer.arrayBuffer();
    if (answer.ok) drop(event);
    return answer.status;
  };

  const drop = (event: SandboxEvent) => {
    const index = held.findIndex(({ id }) => id === event.id);
    if (index >= 0) held.splice(index, 1);
  };

  const sendUntilTaken = async (event: SandboxEvent, tries = 0): Promise<void> => {
    // Nobody there, or gone in between: the same as a refusal.
    const status = await deliver(event).catch(() => 0);
    const wait = RETRY_SECONDS[tries];
    if ((status >= 200 && status < 300) || wait === undefined || closing.signal.aborted) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void sendUntilTaken(event, tries + 1);
    }, wait * 1_000);
    timers.add(timer.unref());
  };

  return {
    post(event) {
      if (options.webhooks === 'held') held.push(event);
      else void sendUntilTaken(event);
    },
    waiting: () => [...held],
    deliver,
    drop,
    close() {
      closing.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function tampered(body: string): string {
  return body.replace(/\}\s*$/, ',"tampered":true}');
}
