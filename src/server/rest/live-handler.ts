import type { ServerResponse } from 'node:http';
import { getTRPCErrorFromUnknown, getTRPCErrorShape } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { LiveEvent } from '#contract/base/live.ts';
import { appRouter } from '#server/router.ts';
import { type AppDeps, type CallContext, type CookieJar, createCallContext } from '#server/trpc/context.ts';
import { toTrpcError } from '#server/trpc/errors.ts';
import type { Shedding } from './shedding.ts';

/** The subscription that this handler answers. */
export const LIVE_PATH = 'live.events';

/** The browser opens a line again where nothing has come for so long. */
const RECONNECT_AFTER_MS = 40_000;
/** How often each line is pinged: proxies close an idle one, and the browser notices a dead one. */
const PING_SECONDS = 15;
/** Ten minutes: opening a line again checks the session, so that a line ends soon after its session. */
const PINGS_MOST = 40;

/** Fewer headers than other answers have, of which each line would keep a copy: nothing here is shown as a page. */
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  // Otherwise the program waits for the connection when it stops.
  connection: 'close',
};

const block = (data: object, name?: string) =>
  `${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`;
const CONNECTED = block({ reconnectAfterInactivityMs: RECONNECT_AFTER_MS }, 'connected');
const PING = 'event: ping\ndata: \n\n';

/**
 * Writes the events of a line to its browser. Without an event 'return' at the end, after which a browser would not come
 * back.
 */
class LineWriter {
  readonly #line: AsyncIterator<LiveEvent, undefined>;
  readonly #response: ServerResponse;
  /** In which of the seconds it is pinged. */
  readonly #turn: number;
  #pings = 0;

  constructor(line: AsyncIterable<LiveEvent, undefined>, response: ServerResponse, turn: number) {
    this.#line = line[Symbol.asyncIterator]();
    this.#response = response;
    this.#turn = turn;
  }

  /** @param onClose called when the browser has gone, or the line has ended */
  start(onClose: (writer: LineWriter) => void): void {
    const response = this.#response;
    const leave = () => {
      void this.#line.return?.();
      onClose(this);
    };
    // The browser may have gone while its session was looked up.
    if (response.destroyed) {
      leave();
      return;
    }
    response.on('close', leave);
    response.write(CONNECTED);
    this.#next();
  }

  #next(): void {
    void this.#line.next().then(({ value, done }) => {
      const response = this.#response;
      if (response.destroyed || response.writableEnded) return;
      if (done) return void response.end();
      const hasRoom = response.write(block(value));
      // The session may have ended.
      if (value.kind === 'account') response.end();
      else if (hasRoom) this.#next();
      else response.once('drain', () => this.#next());
    });
  }

  tick(second: number): void {
    const response = this.#response;
    if (second % PING_SECONDS !== this.#turn || response.writableEnded) return;
    this.#pings += 1;
    if (this.#pings >= PINGS_MOST) response.end();
    else if (!response.writableNeedDrain) response.write(PING);
  }
}

/**
 * Answers the subscription to live events as tRPC's plugin does, which holds several streams, generators and timers for
 * each line.
 * @returns the handler
 */
export function createLiveHandler(app: FastifyInstance, deps: AppDeps, shedding: Shedding) {
  const open = new Set<LineWriter>();
  const close = (writer: LineWriter) => void open.delete(writer);
  let opened = 0;
  let second = 0;
  const ticking = setInterval(() => {
    second += 1;
    for (const writer of open) writer.tick(second);
  }, 1_000).unref();
  app.addHook('onClose', async () => clearInterval(ticking));

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    let ctx: CallContext | undefined;
    // Fastify's own way to set them ends with `hijack`.
    const cookies: string[] = [];
    const jar: CookieJar = {
      setCookie: (...cookie) => cookies.push(app.serializeCookie(...cookie)),
      clearCookie() {},
    };
    try {
      shedding.check(request);
      ctx = await createCallContext(deps, request, jar);
      const line = await appRouter.createCaller(ctx).live.events();
      shedding.leave(request);
      const { raw } = reply.hijack();
      raw.writeHead(200, cookies.length > 0 ? { ...HEADERS, 'set-cookie': cookies } : HEADERS);
      opened += 1;
      const writer = new LineWriter(line, raw, opened % PING_SECONDS);
      open.add(writer);
      writer.start(close);
      return reply;
    } catch (cause) {
      // An event stream has no error status: the refusal is its only event.
      const error = ctx ? getTRPCErrorFromUnknown(cause) : toTrpcError(cause);
      const call = { path: LIVE_PATH, type: 'subscription', input: undefined } as const;
      const shape = getTRPCErrorShape({ config: appRouter._def._config, error, ctx, ...call });
      return reply.headers(HEADERS).send(Buffer.from(CONNECTED + block(shape, 'serialized-error')));
    }
  };
}
