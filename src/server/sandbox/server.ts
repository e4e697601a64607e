import Fastify, { type FastifyReply } from 'fastify';
import { type Fault, type SandboxOptions, STALL_MS } from './running.ts';

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
