import type { FastifyInstance, FastifyRequest } from 'fastify';
import qs from 'qs';
import type Stripe from 'stripe';
import { z } from 'zod';
import {
  type Answer,
  answerWith,
  type Exclusive,
  type Fault,
  type SandboxOptions,
  textOf,
} from '../server.ts';
import { newId, type Shelves } from './objects.ts';
import { invalid, listOf, StripeRefusal, UnreadableRequest, withoutExpand } from './params.ts';

/** A request of the API: its path's parts, and its parameters as they came. */
interface ApiRequest {
  readonly id: string;
  readonly input: unknown;
}

/** What the API answers, in the SDK's own types. */
type StripeAnswer =
  | Stripe.BalanceTransaction
  | Stripe.Charge
  | Stripe.Customer
  | Stripe.Dispute
  | Stripe.Event
  | Stripe.PaymentIntent
  | Stripe.PaymentMethod
  | Stripe.Refund
  | Stripe.Transfer
  | Stripe.TransferReversal
  | Stripe.ApiList<Stripe.Dispute | Stripe.Event | Stripe.Refund | Stripe.Transfer>
  | Stripe.V2.Core.Account
  | Stripe.V2.Core.AccountLink;

type ApiRoute = (request: ApiRequest) => Promise<StripeAnswer>;

export interface Api {
  get(path: string, route: ApiRoute): void;
  post(path: string, route: ApiRoute): void;
}

interface ApiOptions extends Pick<SandboxOptions, 'fault'> {
  readonly secretKey: string;
  readonly shelves: Shelves;
  /** Runs acts one after another, so that two requests with one key cannot both be the first. */
  readonly exclusive: Exclusive;
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
        // An error after the act is kept under the request's key: answerOnce sees to it.
        const rest = fault === 'error-after' ? null : fault;
        return answerWith(reply, rest, INTERNAL_ERROR, () =>
          options.exclusive(() => answerOnce(options, request, fault, handle)),
        );
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
  if (request.method !== 'POST' || typeof key !== 'string')
    return (await done(options, request, fault, handle)).answer;

  const { answers } = options.shelves;
  const question = `${request.method} ${pathOf(request)} ${textOf(request.body)}`;
  const known = await answers.get(key);
  if (known?.question === question) return replayOf(known.status, known.body);
  if (known) return asAnswer(keyReused(key));
  const { answer, isBegun } = await done(options, request, fault, handle);
  // v2 tries again what has failed; v1 keeps whatever came of it once it was begun, a server's error too.
  const isKept = isV2(request) ? answer.status < 400 : isBegun;
  if (isKept) await answers.put({ id: key, question, status: answer.status, body: answer.body });
  return answer;
}

async function done(
  { shelves }: ApiOptions,
  request: FastifyRequest,
  fault: Fault | null,
  handle: ApiRoute,
): Promise<{ answer: Answer; isBegun: boolean }> {
  try {
    const { input, paths } = withoutExpand(isV2(request) ? jsonInput(request) : formInput(request));
    const object = await handle({ id: idIn(request), input });
    const body = await expand(shelves, object, paths);
    return { answer: fault === 'error-after' ? INTERNAL_ERROR : { status: 200, body }, isBegun: true };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return { answer: asAnswer(error), isBegun: !(error instanceof UnreadableRequest) };
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

function replayOf(status: number, body: unknown): Answer {
  const headers = { 'idempotent-replayed': 'true' };
  // What is stored under the key would only be answered again.
  return { status, body, headers: status >= 500 ? { ...headers, 'stripe-should-retry': 'false' } : headers };
}

const pathOf = ({ url }: FastifyRequest) => url.split('?')[0] ?? '';
const isV2 = (request: FastifyRequest) => request.url.startsWith('/v2/');

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

/** Puts the objects themselves where their ids stand: 'latest_charge.balance_transaction', 'data.charge'. */
async function expand(shelves: Shelves, object: object, paths: readonly string[]): Promise<object> {
  let expanded = object;
  for (const path of paths) expanded = await expandPath(shelves, expanded, path.split('.'), path);
  return expanded;
}

async function expandPath(
  shelves: Shelves,
  object: object,
  [name = '', ...rest]: readonly string[],
  whole: string,
): Promise<object> {
  const onward = async (value: object) => (rest.length > 0 ? expandPath(shelves, value, rest, whole) : value);
  const value = await valueAt(shelves, object, name, whole);
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    return {
      ...object,
      [name]: await Promise.all(items.map((item) => (isObject(item) ? onward(item) : item))),
    };
  }
  if (value === null) return object;
  return { ...object, [name]: await onward(value) };
}

/** What stands under a name, fetched where it is only an id. */
async function valueAt(
  shelves: Shelves,
  object: object,
  name: string,
  whole: string,
): Promise<object | null> {
  if (name === 'refunds' && 'object' in object && object.object === 'charge' && 'id' in object) {
    const refunds = (await shelves.refunds.list()).filter(({ charge }) => charge === object.id).reverse();
    return listOf(refunds, `/v1/charges/${String(object.id)}/refunds`);
  }
  const value = new Map<string, unknown>(Object.entries(object)).get(name);
  if (value === null || isObject(value)) return value;
  const shelf = typeof value === 'string' ? shelfOf(shelves, value) : null;
  if (shelf === null || typeof value !== 'string') {
    const message = `This property cannot be expanded (${whole}).`;
    throw new UnreadableRequest(400, { type: 'invalid_request_error', message });
  }
  return shelf.get(value);
}

function shelfOf(shelves: Shelves, id: string): { get(id: string): Promise<object | null> } | null {
  switch (id.split('_')[0]) {
    case 'ch':
      return shelves.charges;
    case 'cus':
      return shelves.customers;
    case 'pi':
      return shelves.paymentIntents;
    case 'pm':
      return shelves.paymentMethods;
    case 'tr':
      return shelves.transfers;
    case 'txn':
      return shelves.balanceTransactions;
    default:
      return null;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
