import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Answer, type SandboxServer, textOf } from '#sandbox/server.ts';
import type { Stored } from './objects.ts';
import { forbidden, invalidRequest, refusal, unprocessable } from './refusals.ts';

/** A request of the API. */
export interface ApiRequest {
  /** The id in the path. */
  readonly id: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly rawBody: string;
  /** The merchant for whom the partner acts; null: the partner itself. */
  readonly onBehalfOf: string | null;
}

type ApiRoute = (request: ApiRequest) => Promise<Answer>;

export interface Api {
  get(path: string, route: ApiRoute): void;
  /** A repeated PayPal-Request-Id gets the first answer again, with 200 instead of 201. */
  post(path: string, route: ApiRoute): void;
}

interface ApiOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly stored: Stored;
}

const SERVER_ERROR = refusal(500, 'INTERNAL_SERVER_ERROR', 'An internal error occurred.').answer;

const TOKEN_SECONDS = 32_400;

const assertionSchema = z.object({ iss: z.string(), payer_id: z.string() });

/** PayPal's general rules: access tokens, and the replay of repeated requests. */
export function createApi({ route }: SandboxServer, options: ApiOptions): Api {
  /** Access token → when it expires, milliseconds since 1970. A restart forgets them all. */
  const tokens = new Map<string, number>();

  const read = (request: FastifyRequest): ApiRequest => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if ((tokens.get(token) ?? 0) <= Date.now()) {
      throw refusal(401, 'AUTHENTICATION_FAILURE', 'Authentication failed: no such token.');
    }
    const params = z.record(z.string(), z.string()).parse(request.params);
    return {
      id: params.id ?? '',
      params,
      query: z.record(z.string(), z.string()).parse(request.query),
      rawBody: textOf(request.body),
      onBehalfOf: readAssertion(request.headers['paypal-auth-assertion'], options.clientId),
    };
  };

  route('POST', '/v1/oauth2/token', SERVER_ERROR, async (request) => {
    const expected = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64');
    if (request.headers.authorization !== `Basic ${expected}` || !isClientGrant(request.body)) {
      const body = { error: 'invalid_client', error_description: 'Client Authentication failed' };
      return { status: 401, body };
    }
    const token = `A21AA${randomUUID()}`;
    tokens.set(token, Date.now() + TOKEN_SECONDS * 1_000);
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: TOKEN_SECONDS } };
  });

  return {
    get: (path, handle) => route('GET', path, SERVER_ERROR, async (request) => handle(read(request))),
    post: (path, handle) =>
      route('POST', path, SERVER_ERROR, async (request) => {
        const key = request.headers['paypal-request-id'];
        const given = read(request);
        if (typeof key !== 'string') return handle(given);
        return replayed(options.stored, `POST ${request.url} ${key}`, given, handle);
      }),
  };
}

/** Parses a JSON body. @throws Refusal INVALID_REQUEST */
export function readBody<T>({ rawBody }: ApiRequest, schema: z.ZodType<T>): T {
  return orInvalid(schema.safeParse(parseJson(rawBody)));
}

/** Reads a request's query. @throws Refusal INVALID_REQUEST */
export function readQuery<T>({ query }: ApiRequest, schema: z.ZodType<T>): T {
  return orInvalid(schema.safeParse(query));
}

function orInvalid<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidRequest(`${issue?.path.join('/') ?? ''}: ${issue?.message ?? 'unreadable'}`);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest('The body is not JSON');
  }
}

async function replayed(stored: Stored, key: string, request: ApiRequest, handle: ApiRoute): Promise<Answer> {
  const known = await stored.replays.get(key);
  if (known === null) {
    const made = await handle(request);
    await stored.replays.put({ id: key, question: request.rawBody, body: made.body });
    return made;
  }
  if (known.question !== request.rawBody) {
    // Stricter than PayPal, which repeats the first answer, so that a mistake of ours shows.
    throw unprocessable('DUPLICATE_REQUEST_ID', 'Another request had this id');
  }
  return { status: 200, body: known.body };
}

function isClientGrant(body: unknown): boolean {
  return typeof body === 'string' && new URLSearchParams(body).get('grant_type') === 'client_credentials';
}

/** Reads the merchant's id from an unsigned JWT. @throws Refusal NOT_AUTHORIZED */
function readAssertion(header: string | string[] | undefined, clientId: string): string | null {
  if (header === undefined) return null;
  const [head, claims, signature] = String(header)
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString());
  const algorithm = z.object({ alg: z.literal('none') }).safeParse(parseJson(head ?? ''));
  const parsed = assertionSchema.safeParse(parseJson(claims ?? '')).data;
  if (!algorithm.success || signature !== '' || parsed?.iss !== clientId) {
    throw forbidden('The PayPal-Auth-Assertion header is not valid.');
  }
  return parsed.payer_id;
}
