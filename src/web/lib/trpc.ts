import { httpLink, type TRPCLink } from '@trpc/client';
import { createTRPCReact } from '@trpc/react-query';
import type { inferRouterInputs } from '@trpc/server';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import { FEES_HEADER } from '#contract/base/fees-header.ts';
import { language } from '#contract/base/i18n.ts';
import type { AppRouter } from '#server/router.ts';
import { withDeadline } from './deadline.ts';
import { hasCode, readWireError, UnexpectedAnswer } from './errors.ts';
import { askFor, PROMPTED } from './prompts.ts';

export type { AppRouter };

export const API_URL = '/api/trpc';

/** The calls as hooks; only the rooms use them. */
export const trpc = createTRPCReact<AppRouter>();

type Routers = AppRouter['_def']['record'];

/** The names of all procedures of a kind: `bids.list`. */
type PathOf<Kind extends 'query' | 'mutation'> = {
  [R in keyof Routers]: {
    [P in keyof Routers[R] & string]: Routers[R][P] extends { _def: { type: Kind } } ? `${R}.${P}` : never;
  }[keyof Routers[R] & string];
}[keyof Routers];

export type MutationPath = PathOf<'mutation'>;

type QueryPath = PathOf<'query'>;
type InputAt<Path> = Path extends `${infer R extends keyof Routers}.${infer P}`
  ? inferRouterInputs<AppRouter>[R][P & keyof Routers[R]]
  : never;

/** All queries of a router, of a procedure, or of a procedure with (a part of) an input. */
export type Touched =
  | keyof Routers
  | QueryPath
  | { [Path in QueryPath]: readonly [Path, Partial<InputAt<Path>>] }[QueryPath];

/** Longer than any message for users: the rest of a proxy's error page is cut off. */
const RAW_TEXT_MAX = 300;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textAt(body: unknown, key: 'error' | 'message'): string | undefined {
  const value: unknown = body && typeof body === 'object' ? Reflect.get(body, key) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The error of a failed answer: its error field, message field, status text, or raw text (spec/1 section 1). */
function unexpected(response: Response, text: string): UnexpectedAnswer {
  const body = parseJson(text);
  const raw = body === undefined ? text.trim().slice(0, RAW_TEXT_MAX) : '';
  const words = textAt(body, 'error') ?? textAt(body, 'message') ?? (raw || response.statusText);
  return new UnexpectedAnswer(response.status, words, readWireError(body));
}

/** Whether it is tRPC's envelope: an error object, or a result. */
function isEnvelope(body: unknown): boolean {
  if (!body || typeof body !== 'object') return false;
  return 'result' in body || ('error' in body && typeof body.error === 'object');
}

/** How long an answer may take, in ms: longer than the server waits for a payment provider, three times 10 s. */
const READ_MAX_MS = 45_000;
const WRITE_MAX_MS = 90_000;

/** Sends a request with the cookie and the page's language, and a content type only where there is a body (spec/1 section 1). */
async function send(url: RequestInfo | URL | string, options: RequestInit = {}): Promise<Response> {
  const headers = new Headers(options.headers);
  headers.set('accept-language', language());
  headers.set(FEES_HEADER, document.querySelector<HTMLMetaElement>('[name=fee-rates]')?.content ?? '');
  if (options.body === undefined || options.body === null) headers.delete('content-type');
  const ask = async (signal: AbortSignal) => {
    const answer = await fetch(url, { ...options, headers, signal, credentials: 'same-origin' });
    return { answer, text: await answer.text() };
  };
  const maxMs = options.method === 'GET' ? READ_MAX_MS : WRITE_MAX_MS;
  const { answer, text } = await withDeadline(maxMs, ask, options.signal);
  if (!isEnvelope(parseJson(text))) throw unexpected(answer, text);
  return new Response(text, answer);
}

/**
 * Makes a call again that was refused because it needs something of the user first, once that is given. The sign-in asks
 * for the second factor in its own form.
 */
const repeatOnceGiven: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let isOver = false;
      let call: Unsubscribable;
      const attempt = (isRepeated: boolean) => {
        call = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error: async (error) => {
            const missing = op.path !== 'accounts.login' && PROMPTED.find((code) => hasCode(error, code));
            const isGiven = missing && !isRepeated && (await askFor(missing));
            if (isOver) return;
            if (isGiven) attempt(true);
            else observer.error(error);
          },
        });
      };
      attempt(false);
      return () => {
        isOver = true;
        call.unsubscribe();
      };
    });

/** Creates the client of the hooks. */
export function createTrpcClient(url = API_URL) {
  return trpc.createClient({ links: [repeatOnceGiven, httpLink({ url, fetch: send })] });
}
