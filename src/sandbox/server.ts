import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { SandboxStore } from './store.ts';

/**
 * What goes wrong with one request of a provider's API: 500 before or after the work is done; the work is done but the
 * answer never comes (hang), or the connection is cut after STALL_MS (stall); the connection is cut at once, and the work
 * is never done, has been done, or is done later (late).
 */
export type Fault =
  | 'error-before'
  | 'error-after'
  | 'hang-after'
  | 'stall-after'
  | 'cut-before'
  | 'cut-after'
  | 'late';

const STALL_MS = 300;

/** An event to be delivered by webhook. */
export interface SandboxEvent {
  readonly id: string;
  readonly type: string;
  /** The exact text that is signed and sent. */
  readonly body: string;
}

export interface SandboxOptions {
  readonly store: SandboxStore;
  /** Where webhooks are sent: 'http://127.0.0.1:3000/api/webhooks/stripe'. Null: nowhere (yet). */
  readonly webhookUrl: () => string | null;
  /** How the outside would reach the same address: what the provider's lists of webhooks name. */
  readonly webhookAddress: string;
  /** auto: sent at once, and again (after 1, 5, 30 s) until answered with 2xx. held: kept until `deliver`. */
  readonly webhooks: 'auto' | 'held';
  /** Asked before each API request is handled, which waits for the answer. */
  readonly fault?:
    | ((request: { method: string; path: string }) => Fault | null | Promise<Fault | null>)
    | undefined;
  /** Does the work of a late request some time. */
  readonly later?: ((work: () => Promise<void>) => void) | undefined;
  /** The address under which a browser reaches the provider's pages: 'http://localhost:3000/sandbox/stripe'. */
  readonly browserUrl: string;
}

/** A running stand-in for a provider. */
export interface Sandbox {
  /** Events not yet delivered (webhooks 'held'), oldest first. */
  waiting(): SandboxEvent[];
  /**
   * Signs the event now and sends it.
   * @param options `tamper` changes the body after signing, `at` dates the signature
   * @returns the answer's status, 0 while there is no address to send to
   */
  deliver(
    event: SandboxEvent,
    options?: { tamper?: boolean; at?: Date; unsigned?: boolean },
  ): Promise<number>;
  /** Removes it from the waiting ones without sending it. */
  drop(event: SandboxEvent): void;
  /** The latest events that were sent, oldest first: to deliver one again. */
  sent(): SandboxEvent[];
  /** Keeps new events back; false: sends those that were kept. */
  holdEvents(isHeld: boolean): Promise<void>;
  /** For a while the API answers nothing: hang does the work, drop cuts the connection before. */
  interrupt(how: 'hang' | 'drop', ms: number): void;
}

/** A payment as its provider's own pages list it, with its latest refund, dispute and payout. */
export interface OutsidePayment {
  readonly id: string;
  readonly description: string;
  /** Cents. */
  readonly amount: number;
  /** The seller's account. */
  readonly seller: string;
  readonly refund: OutsideState | null;
  readonly dispute: OutsideState | null;
  readonly payout: OutsideState | null;
}

interface OutsideState {
  readonly id: string;
  readonly status: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown when a sandbox refuses a request. Carries the answer in the provider's own format. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly answer: Answer;

  constructor(message: string, answer: Answer) {
    super(message);
    this.answer = answer;
  }
}

/** Runs acts one after another, in the order of the calls. One that fails does not stop the next. */
type Exclusive = <T>(act: () => Promise<T>) => Promise<T>;

/** The headers that sign a webhook's body as the provider does. */
type Sign = (body: string, at: Date) => Readonly<Record<string, string>>;

export type SandboxServer = ReturnType<typeof addProvider>;

/** The server of the whole sandbox. Routes get bodies as text, and a Refusal that they throw is sent as its answer. */
export function createApp(): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true, routerOptions: { maxParamLength: 200 } });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.setErrorHandler(async (error, _request, reply) => send(reply, answerOf(error)));
  // Other names may be made to resolve to this machine.
  app.addHook('onRequest', async ({ hostname }, reply) => {
    if (hostname !== '127.0.0.1') return reply.status(403).send();
  });
  app.setNotFoundHandler(async ({ method, url }, reply) => {
    const message = `Unrecognized request URL (${method}: ${url}).`;
    await reply.status(404).send({ error: { type: 'invalid_request_error', message } });
  });
  return app;
}

/**
 * What the stand-ins of the providers share: routes with faults, webhooks, an order of acts.
 * @param prefix what the paths of its API begin with
 */
export function addProvider(app: FastifyInstance, prefix: string, options: SandboxOptions, sign: Sign) {
  let last: Promise<unknown> = Promise.resolve();
  const exclusive: Exclusive = (act) => {
    const next = last.then(act);
    last = next.catch(() => {});
    return next;
  };

  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, act: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer.unref());
  };
  const webhooks = createDelivery(options, sign, after);
  let outage: Fault | null = null;
  app.addHook('onClose', async () => {
    webhooks.stop();
    for (const timer of timers) clearTimeout(timer);
  });

  return {
    app,
    /** The path under which a browser reaches its pages. */
    pages: new URL(options.browserUrl).pathname,
    exclusive,
    /** Sends an event, or keeps it for `deliver`. */
    post: webhooks.post,
    /** Acts after a while, unless webhooks are held: then a test does it. */
    later(ms: number, act: () => Promise<unknown>): void {
      // Fails when the store is closing; the next start continues.
      if (options.webhooks === 'auto') after(ms, () => void exclusive(act).catch(() => {}));
    },
    /** Adds a route of the provider's API, where faults happen. @param serverError the provider's answer 500 */
    route(
      method: 'GET' | 'POST',
      url: string,
      serverError: Answer,
      handle: (request: FastifyRequest, fault: Fault | null) => Promise<Answer>,
    ): void {
      app.route({
        method,
        url: `${prefix}${url}`,
        handler: async (request, reply) => {
          const path = pathOf(request).slice(prefix.length);
          const fault = outage ?? (await options.fault?.({ method, path })) ?? null;
          if (fault === 'cut-before') return cut(reply);
          if (fault === 'error-before') return send(reply, serverError);
          const work = () => exclusive(() => handle(request, fault)).catch(answerOf);
          if (fault === 'late') {
            options.later?.(async () => void (await work()));
            return cut(reply);
          }
          const answer = await work();
          if (fault === 'cut-after') return cut(reply);
          if (fault === 'stall-after') setTimeout(() => reply.raw.destroy(), STALL_MS);
          if (fault === 'stall-after' || fault === 'hang-after') return void reply.hijack();
          return send(reply, fault === 'error-after' ? serverError : answer);
        },
      });
    },
    controls: {
      waiting: webhooks.waiting,
      deliver: webhooks.deliver,
      drop: webhooks.drop,
      sent: webhooks.sent,
      holdEvents: webhooks.holdEvents,
      interrupt(how, ms) {
        outage = how === 'hang' ? 'hang-after' : 'cut-before';
        after(ms, () => {
          outage = null;
        });
      },
    } satisfies Sandbox,
  };
}

/** The answer of a Refusal. Other errors are thrown again. */
function answerOf(error: unknown): Answer {
  if (error instanceof Refusal) return error.answer;
  throw error;
}

function send(reply: FastifyReply, { status, body, headers = {} }: Answer) {
  return reply.status(status).headers(headers).send(body);
}

function cut(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

/** The body of a request as it came. */
export const textOf = (body: unknown): string => (typeof body === 'string' ? body : '');

export const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';

/** Seconds after which an event is sent again. */
const RETRY_SECONDS = [1, 5, 30];
/** How many sent events are remembered. */
const SENT_KEPT = 20;

/** Sends events, or holds them until a test asks. */
function createDelivery(
  options: Pick<SandboxOptions, 'webhooks' | 'webhookUrl'>,
  sign: Sign,
  after: (ms: number, act: () => void) => void,
) {
  const held: SandboxEvent[] = [];
  const sent: SandboxEvent[] = [];
  let isHolding = options.webhooks === 'held';
  const stopping = new AbortController();

  const deliver: Sandbox['deliver'] = async (event, { tamper = false, at, unsigned = false } = {}) => {
    const url = options.webhookUrl();
    if (url === null) return 0;
    if (!sent.some(({ id }) => id === event.id)) sent.splice(0, Math.max(0, sent.push(event) - SENT_KEPT));
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        ...(!unsigned && sign(event.body, at ?? new Date())),
      },
      body: tamper ? event.body.replace(/\}\s*$/, ',"tampered":true}') : event.body,
      signal: stopping.signal,
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
    // An unreachable receiver counts as a refusal.
    const status = await deliver(event).catch(() => 0);
    const seconds = RETRY_SECONDS[tries];
    if ((status >= 200 && status < 300) || seconds === undefined || stopping.signal.aborted) return;
    after(seconds * 1_000, () => void sendUntilTaken(event, tries + 1));
  };

  return {
    post(event: SandboxEvent): void {
      if (isHolding) held.push(event);
      else void sendUntilTaken(event);
    },
    waiting: () => [...held],
    sent: () => [...sent],
    async holdEvents(isHeld: boolean): Promise<void> {
      isHolding = isHeld;
      if (!isHeld) for (const event of held.splice(0)) await sendUntilTaken(event);
    },
    deliver,
    drop,
    stop: () => stopping.abort(),
  };
}
