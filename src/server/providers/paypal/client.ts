import { z } from 'zod';
import type { PaypalSettings } from '#server/core/provider-settings.ts';
import { isRefusal, ProviderRefusal, ProviderUnreachable } from '../payments.ts';

/** Our account, and how long to wait for one answer: 15 seconds by default. */
export type PaypalClientSettings = Omit<PaypalSettings, 'scriptUrl'> & { readonly timeoutMs?: number };

interface PaypalRequest {
  readonly method: 'GET' | 'POST';
  /** Including the query: '/v2/checkout/orders'. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** JSON that is sent unchanged, instead of `body`. */
  readonly rawBody?: string;
  readonly idempotencyKey?: string;
  /** The merchant on whose behalf the partner calls. */
  readonly onBehalfOf?: string;
}

/**
 * Calls PayPal's REST API and validates the answer.
 * @throws ProviderRefusal with PayPal's issue (or error name) as its code; ProviderUnreachable for a timeout, a server
 * error, too many requests, an earlier call that is still running, or an answer that does not parse
 */
export type PaypalClient = <T>(request: PaypalRequest, answer: z.ZodType<T>) => Promise<T>;

const DEFAULT_TIMEOUT_MS = 15_000;
/** A token is replaced this long before it expires, so that it cannot expire on the way. */
const TOKEN_MARGIN_MS = 60_000;

const tokenSchema = z.object({ access_token: z.string().min(1), expires_in: z.number() });

const errorSchema = z.object({
  name: z.string().optional(),
  message: z.string().optional(),
  /** The OAuth endpoint uses this field. */
  error: z.string().optional(),
  error_description: z.string().optional(),
  debug_id: z.string().optional(),
  details: z.array(z.object({ issue: z.string().optional(), description: z.string().optional() })).optional(),
});

interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

interface Token {
  readonly value: Promise<string>;
  /** Milliseconds since 1970; infinite until PayPal has answered. */
  endsAt: number;
}

/** A client with one token for all calls; parallel calls share one token request. */
export function createPaypalClient(settings: PaypalClientSettings): PaypalClient {
  let token: Token | null = null;

  const currentToken = (): Token => {
    if (token !== null && Date.now() < token.endsAt) return token;
    const fetched = fetchToken(settings);
    const made: Token = {
      value: fetched.then((answer) => answer.access_token),
      endsAt: Number.POSITIVE_INFINITY,
    };
    token = made;
    fetched.then(
      (answer) => {
        made.endsAt = Date.now() + answer.expires_in * 1_000 - TOKEN_MARGIN_MS;
      },
      () => forget(made),
    );
    return made;
  };
  const forget = (old: Token) => {
    if (token === old) token = null;
  };
  const ask = async (request: PaypalRequest, used: Token) =>
    send(settings, request.path, {
      method: request.method,
      headers: headersOf(settings, request, await used.value),
      body: request.rawBody ?? (request.body === undefined ? null : JSON.stringify(request.body)),
    });

  return async (request, schema) => {
    const used = currentToken();
    let answer = await ask(request, used);
    if (answer.status === 401) {
      // The token was revoked early, so nothing has happened.
      forget(used);
      answer = await ask(request, currentToken());
    }
    return parse(answer, schema);
  };
}

/** Null when PayPal answers that the resource does not exist. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isRefusal(error, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID')) return null;
    throw error;
  }
}

async function fetchToken(settings: PaypalClientSettings) {
  const credentials = Buffer.from(`${settings.clientId}:${settings.clientSecret}`).toString('base64');
  const answer = await send(settings, '/v1/oauth2/token', {
    method: 'POST',
    headers: {
      authorization: `Basic ${credentials}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: 'grant_type=client_credentials',
  });
  return parse(answer, tokenSchema);
}

function headersOf(
  settings: PaypalClientSettings,
  request: PaypalRequest,
  token: string,
): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    prefer: 'return=representation',
    ...(request.method === 'POST' && { 'content-type': 'application/json' }),
    ...(settings.attributionId !== null && { 'paypal-partner-attribution-id': settings.attributionId }),
    ...(request.idempotencyKey !== undefined && { 'paypal-request-id': request.idempotencyKey }),
    ...(request.onBehalfOf !== undefined && {
      'paypal-auth-assertion': authAssertion(settings.clientId, request.onBehalfOf),
    }),
  };
}

/** An unsigned JWT, as PayPal requires: the access token beside it is the proof. */
function authAssertion(clientId: string, merchantId: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ iss: clientId, payer_id: merchantId })}.`;
}

async function send(
  { apiBase, timeoutMs = DEFAULT_TIMEOUT_MS }: PaypalClientSettings,
  path: string,
  init: { method: string; headers: Record<string, string>; body: string | null },
): Promise<RawAnswer> {
  try {
    // The limit covers the body too: a truncated answer counts as none.
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(`${apiBase}${path}`, { ...init, redirect: 'error', signal });
    return { status: answer.status, text: await answer.text() };
  } catch (error) {
    throw new ProviderUnreachable('PayPal did not answer', { cause: error });
  }
}

function parse<T>({ status, text }: RawAnswer, schema: z.ZodType<T>): T {
  // 409: an earlier call for the same resource is still running, and its outcome is unknown.
  if (status >= 500 || status === 429 || status === 409)
    throw new ProviderUnreachable(`PayPal answered ${status}`);
  const json = readJson(text);
  if (status >= 400) throw refusalOf(status, json);
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    throw new ProviderUnreachable('PayPal answered in a shape we cannot read', { cause: parsed.error });
  }
  return parsed.data;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema of the answer rejects a body without JSON.
    return undefined;
  }
}

function refusalOf(status: number, json: unknown): ProviderRefusal {
  const error = errorSchema.safeParse(json).data;
  const detail = error?.details?.[0];
  const name = error?.name ?? error?.error ?? (status === 404 ? 'RESOURCE_NOT_FOUND' : `HTTP_${status}`);
  const text =
    detail?.description ?? error?.message ?? error?.error_description ?? `PayPal answered ${status}`;
  // PayPal's support asks for the debug id.
  const trace = error?.debug_id ? { debugId: error.debug_id, status } : { status };
  // The status identifies a missing resource; the issue differs between PayPal's services.
  const code = status === 404 ? 'RESOURCE_NOT_FOUND' : (detail?.issue ?? name);
  return new ProviderRefusal(code, text, trace);
}
