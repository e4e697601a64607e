import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import qs from 'qs';
import { z } from 'zod';
import { type Fault, type SandboxOptions, STALL_MS } from '../running.ts';
import { invalid, StripeRefusal, UnreadableRequest } from './errors.ts';
import { expand } from './expand.ts';
import { newId, type Shelves } from './objects.ts';
import { withoutExpand } from './params.ts';

/** A request of the API: its path's parts, and its parameters as they came. */
interface ApiRequest {
  readonly id: string;
  readonly input: unknown;
}

/** @returns the object to answer */
type ApiRoute = (request: ApiRequest) => Promise<object>;

export interface Api {
  get(path: string, route: ApiRoute): void;
  post(path: string, route: ApiRoute): void;
}

interface ApiOptions extends Pick<SandboxOptions, 'fault'> {
  readonly secretKey: string;
  readonly shelves: Shelves;
  /** Runs acts one after another, so that two requests with one key cannot both be the first. */
  readonly exclusive: <T>(act: () => Promise<T>) => Promise<T>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly isReplay?: boolean;
  /** False: the parameters did not read, so nothing was begun. */
  readonly isBegun?: boolean;
}

const INTERNAL_ERROR: Answer = {
  status: 500,
  body: { error: { type: 'api_error', message: 'An unknown error occurred.' } },
};

/** Stripe's manners: keys, form or JSON parameters, idempotency, `expand`, its errors, and the faults asked for. */
export function createApi(app: FastifyInstance, options: ApiOptions): Api {
  const route = (method: 'GET' | 'POST', path: string, handle: ApiRoute) =>
    app.route({
      method,
      url: path,
      handler: async (request, reply) => {
        const fault = options.fault?.({ method, path: pathOf(request) }) ?? null;
        reply.header('request-id', newId('req')).header('stripe-version', '2026-10-28.endive');
        if (fault === 'cut-before') return cut(reply);
        if (fault === 'error-before') return send(reply, INTERNAL_ERROR);
        const answer = await options.exclusive(() => answerOnce(options, request, fault, handle));
        if (fault === 'cut-after') return cut(reply);
        if (fault === 'hang-after' || fault === 'stall-after') {
          if (fault === 'stall-after') setTimeout(() => reply.raw.destroy(), STALL_MS);
          return void reply.hijack();
        }
        return send(reply, answer);
      },
    });
  return {
    get: (path, handle) => route('GET', path, handle),
    post: (path, handle) => route('POST', path, handle),
  };
}

/** The first answer to a key is the answer to every later request with it. */
async function answerOnce(
  options: ApiOptions,
  request: FastifyRequest,
  fault: Fault | null,
  handle: ApiRoute,
): Promise<Answer> {
  const refused = unauthorized(request, options.secretKey);
  if (refused) return refused;
  const key = request.headers['idempotency-key'];
  if (request.method !== 'POST' || typeof key !== 'string') return done(options, request, fault, handle);

  const { answers } = options.shelves;
  const question = `${request.method} ${pathOf(request)} ${textOf(request.body)}`;
  const known = await answers.get(key);
  if (known?.question === question) return { status: known.status, body: known.body, isReplay: true };
  if (known) return asAnswer(keyReused(key));
  const answer = await done(options, request, fault, handle);
  // v2 tries again what has failed; v1 keeps whatever came of it once it was begun, a server's error too.
  const isKept = isV2(request) ? answer.status < 400 : answer.isBegun !== false;
  if (isKept) await answers.put({ id: key, question, status: answer.status, body: answer.body });
  return answer;
}

async function done(
  { shelves }: ApiOptions,
  request: FastifyRequest,
  fault: Fault | null,
  handle: ApiRoute,
): Promise<Answer> {
  try {
    const { input, paths } = withoutExpand(isV2(request) ? jsonInput(request) : formInput(request));
    const object = await handle({ id: idIn(request), input });
    const body = await expand(shelves, object, paths);
    return fault === 'error-after' ? INTERNAL_ERROR : { status: 200, body };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return { ...asAnswer(error), isBegun: !(error instanceof UnreadableRequest) };
  }
}

export function asAnswer({ status, error }: StripeRefusal): Answer {
  return { status, body: { error } };
}

function unauthorized(request: FastifyRequest, secretKey: string): Answer | null {
  if (request.headers.authorization === `Bearer ${secretKey}`) return null;
  const message = 'Invalid API Key provided.';
  return asAnswer(new StripeRefusal(401, { type: 'invalid_request_error', message }));
}

function keyReused(key: string): StripeRefusal {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
  return new StripeRefusal(400, { type: 'idempotency_error', message });
}

function send(reply: FastifyReply, { status, body, isReplay = false }: Answer) {
  if (isReplay) reply.header('idempotent-replayed', 'true');
  // What is stored under the key would only be answered again.
  if (isReplay && status >= 500) reply.header('stripe-should-retry', 'false');
  return reply.status(status).send(body);
}

function cut(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.destroy();
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';
const isV2 = (request: FastifyRequest) => request.url.startsWith('/v2/');
const textOf = (body: unknown) => (typeof body === 'string' ? body : '');

function idIn({ params }: FastifyRequest): string {
  return z.object({ id: z.string().optional() }).parse(params).id ?? '';
}

function formInput(request: FastifyRequest): unknown {
  const text = request.method === 'GET' ? (request.url.split('?')[1] ?? '') : textOf(request.body);
  return qs.parse(text, { depth: 8, arrayLimit: 100, parameterLimit: 500 });
}

function jsonInput(request: FastifyRequest): unknown {
  if (request.method === 'GET') return formInput(request);
  try {
    return JSON.parse(textOf(request.body) || '{}');
  } catch {
    throw invalid('The request body is no JSON.');
  }
}
