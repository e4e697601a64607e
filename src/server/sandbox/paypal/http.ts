import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Answer, answerWith, type Exclusive, type SandboxOptions, textOf } from '../server.ts';
import { newId, type Shelves } from './objects.ts';

/** A request of the API, read. */
export interface ApiRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly rawBody: string;
  /** The merchant in whose name is asked; null: the partner's own. */
  readonly onBehalfOf: string | null;
}

type ApiRoute = (request: ApiRequest) => Promise<Answer>;

export interface Api {
  get(path: string, route: ApiRoute): void;
  /** Answers the same again to the same PayPal-Request-Id, with 200 instead of 201. */
  post(path: string, route: ApiRoute): void;
}

interface ApiOptions extends Pick<SandboxOptions, 'fault'> {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly shelves: Shelves;
  /** Runs one act after another. */
  readonly exclusive: Exclusive;
}

/** An answer of PayPal's that refuses: its status, error name and the issue that tells why. */
export class PaypalError extends Error {
  override readonly name = 'PaypalError';
  readonly status: number;
  readonly body: {
    readonly name: string;
    readonly message: string;
    readonly debug_id: string;
    readonly details: readonly { readonly issue: string; readonly description: string }[];
    readonly links: readonly unknown[];
  };

  constructor(status: number, name: string, message: string, issue?: string) {
    super(message);
    this.status = status;
    const details = issue === undefined ? [] : [{ issue, description: message }];
    this.body = { name, message, debug_id: newId(13).toLowerCase(), details, links: [] };
  }
}

const SERVER_ERROR = new PaypalError(500, 'INTERNAL_SERVER_ERROR', 'An internal error occurred.');

const TOKEN_SECONDS = 32_400;

const assertionSchema = z.object({ iss: z.string(), payer_id: z.string() });

/** PayPal's manners: tokens, replays, its shape of errors, and the faults that a test asks for. */
export function createApi(app: FastifyInstance, options: ApiOptions): Api {
  /** Access token → when it ends, milliseconds since 1970. A restart forgets them all. */
  const tokens = new Map<string, number>();

  const answer = async (handle: () => Promise<Answer>): Promise<Answer> => {
    try {
      return await options.exclusive(handle);
    } catch (error) {
      if (error instanceof PaypalError) return { status: error.status, body: error.body };
      throw error;
    }
  };

  const route = (
    method: 'GET' | 'POST',
    path: string,
    handle: (request: FastifyRequest) => Promise<Answer>,
  ) =>
    app.route({
      method,
      url: path,
      handler: (request, reply) => {
        const fault = options.fault?.({ method, path: request.url.split('?')[0] ?? '' }) ?? null;
        return answerWith(reply, fault, SERVER_ERROR, () => answer(() => handle(request)));
      },
    });

  const read = (request: FastifyRequest): ApiRequest => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if ((tokens.get(token) ?? 0) <= Date.now()) {
      throw new PaypalError(401, 'AUTHENTICATION_FAILURE', 'Authentication failed: no such token.');
    }
    return {
      params: z.record(z.string(), z.string()).parse(request.params),
      query: z.record(z.string(), z.string()).parse(request.query),
      rawBody: textOf(request.body),
      onBehalfOf: readAssertion(request.headers['paypal-auth-assertion'], options.clientId),
    };
  };

  route('POST', '/v1/oauth2/token', async (request) => {
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
    get: (path, handle) => route('GET', path, async (request) => handle(read(request))),
    post: (path, handle) =>
      route('POST', path, async (request) => {
        const key = request.headers['paypal-request-id'];
        const given = read(request);
        if (typeof key !== 'string') return handle(given);
        return replayed(options.shelves, `POST ${request.url} ${key}`, given, handle);
      }),
  };
}

/** Parses a JSON body. @throws PaypalError INVALID_REQUEST */
export function readBody<T>({ rawBody }: ApiRequest, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseJson(rawBody));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidRequest(`${issue?.path.join('/') ?? ''}: ${issue?.message ?? 'unreadable'}`);
}

/** One part of a path. */
export function param({ params }: ApiRequest, name: string): string {
  return params[name] ?? '';
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest('The body is no JSON');
  }
}

async function replayed(
  shelves: Shelves,
  key: string,
  request: ApiRequest,
  handle: ApiRoute,
): Promise<Answer> {
  const known = await shelves.replays.get(key);
  if (known === null) {
    const made = await handle(request);
    await shelves.replays.put({ id: key, question: request.rawBody, body: made.body });
    return made;
  }
  if (known.question !== request.rawBody) {
    // Stricter than PayPal, which answers the first question: here a mistake should show.
    throw new PaypalError(
      422,
      'UNPROCESSABLE_ENTITY',
      'Another request bore this id',
      'DUPLICATE_REQUEST_ID',
    );
  }
  return { status: 200, body: known.body };
}

function isClientGrant(body: unknown): boolean {
  return typeof body === 'string' && new URLSearchParams(body).get('grant_type') === 'client_credentials';
}

/** The merchant that an unsigned JWT names. @throws PaypalError when it is not as PayPal wants it */
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

function invalidRequest(message: string): PaypalError {
  return new PaypalError(400, 'INVALID_REQUEST', message, 'INVALID_PARAMETER_VALUE');
}

export function unprocessable(issue: string, message: string): PaypalError {
  return new PaypalError(422, 'UNPROCESSABLE_ENTITY', message, issue);
}

export function forbidden(message: string): PaypalError {
  return new PaypalError(403, 'NOT_AUTHORIZED', message, 'PERMISSION_DENIED');
}

export function unknownResource(): PaypalError {
  return new PaypalError(
    404,
    'RESOURCE_NOT_FOUND',
    'The specified resource does not exist.',
    'INVALID_RESOURCE_ID',
  );
}
