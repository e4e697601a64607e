import type { FastifyRequest } from 'fastify';
import type Stripe from 'stripe';
import { z } from 'zod';
import { type Answer, type Fault, pathOf, Refusal, type SandboxServer, textOf } from '#sandbox/server.ts';
import type { Collection } from '#sandbox/store.ts';
import { readForm } from './form.ts';
import { API_VERSION, newId, type Stored } from './objects.ts';
import {
  createdFilter,
  invalid,
  listOf,
  pageOf,
  pageParams,
  readParams,
  refusal,
  UnreadableRequest,
  unreadable,
  withoutExpand,
} from './params.ts';

/** A request of the API: the id in its path, and its parameters, not validated. */
interface ApiRequest {
  readonly id: string;
  readonly input: unknown;
  /** The seller's account that is asked, not ours. */
  readonly account: string | undefined;
}

/** What the API answers, in the SDK's own types. */
type StripeAnswer =
  | Stripe.Balance
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
  | Stripe.Payout
  | Stripe.ApiList<Listed | Stripe.Payout | Stripe.TransferReversal>
  | Stripe.V2.Core.Account
  | Stripe.V2.Core.AccountLink
  | V2List;

/** A list of v2, which names its pages by addresses. */
interface V2List {
  readonly data: readonly Omit<Stripe.V2.Core.EventDestination, 'lastResponse'>[];
  readonly next_page_url: null;
  readonly previous_page_url: null;
}

type Listed = Stripe.BalanceTransaction | Stripe.Dispute | Stripe.Event | Stripe.Refund | Stripe.Transfer;

type ApiRoute = (request: ApiRequest) => Promise<StripeAnswer>;

export interface Api {
  get(path: string, route: ApiRoute): void;
  post(path: string, route: ApiRoute): void;
}

interface ApiOptions {
  readonly secretKey: string;
  readonly stored: Stored;
}

const INTERNAL_ERROR = refusal(500, { type: 'api_error', message: 'An unknown error occurred.' }).answer;

/** Stripe's general rules: keys, form or JSON parameters, idempotency, `expand`. */
export function createApi({ app, route }: SandboxServer, options: ApiOptions): Api {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'request-id': newId('req'), 'stripe-version': API_VERSION });
  });
  const add = (method: 'GET' | 'POST') => (path: string, handle: ApiRoute) =>
    route(method, path, INTERNAL_ERROR, (request, fault) => answerOnce(options, request, fault, handle));
  return { get: add('GET'), post: add('POST') };
}

/** Lets a kind of object be read by id. */
export function addRead<T extends StripeAnswer & { id: string }>(
  api: Api,
  path: string,
  stored: Pick<Collection<T>, 'find'>,
): void {
  api.get(`${path}/:id`, ({ id }) => stored.find(id));
}

/** Lets a kind of object be listed. @param fields those that a list can be filtered by */
export function addList<T extends Listed>(
  api: Api,
  path: string,
  stored: Pick<Collection<T>, 'list'>,
  fields: readonly (keyof T & string)[],
): void {
  const filters = Object.fromEntries(fields.map((field) => [field, z.string().optional()]));
  const params = z.strictObject({ ...filters, ...pageParams, created: createdFilter });
  api.get(path, async ({ input }) => {
    const { limit, starting_after, created, ...rest } = readParams(input, params);
    const wanted = new Map<string, unknown>(Object.entries(rest));
    const found = (await stored.list()).filter(
      (object) =>
        created(object.created) &&
        fields.every((field) => !wanted.has(field) || wanted.get(field) === object[field]),
    );
    return pageOf(found, { limit, starting_after }, path);
  });
}

/** Every later request with a key gets the answer of the first one. */
async function answerOnce(
  { secretKey, stored }: ApiOptions,
  request: FastifyRequest,
  fault: Fault | null,
  handle: ApiRoute,
): Promise<Answer> {
  if (request.headers.authorization !== `Bearer ${secretKey}`) {
    throw refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
  }
  const key = request.headers['idempotency-key'];
  if (request.method !== 'POST' || typeof key !== 'string') {
    return (await perform(stored, request, handle)).answer;
  }
  const question = `${request.method} ${pathOf(request)} ${textOf(request.body)}`;
  const known = await stored.answers.get(key);
  if (known?.question === question) return replayOf(known);
  if (known) throw keyReused(key);
  const { answer: made, isBegun } = await perform(stored, request, handle);
  const answer = fault === 'error-after' ? INTERNAL_ERROR : made;
  // v2 runs a failed request again. v1 stores the answer of every request that was begun, even a 500.
  const isKept = isV2(request) ? answer.status < 400 : isBegun;
  if (isKept) await stored.answers.put({ id: key, question, status: answer.status, body: answer.body });
  return answer;
}

/** @returns `isBegun`: false when the request could not be read */
async function perform(
  stored: Stored,
  request: FastifyRequest,
  handle: ApiRoute,
): Promise<{ answer: Answer; isBegun: boolean }> {
  try {
    const { input, paths } = withoutExpand(isV2(request) ? jsonInput(request) : formInput(request));
    const account = request.headers['stripe-account']?.toString();
    const object = await handle({ id: idIn(request), input, account });
    return { answer: { status: 200, body: await expand(stored, object, paths) }, isBegun: true };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { answer: error.answer, isBegun: !(error instanceof UnreadableRequest) };
  }
}

function keyReused(key: string): Refusal {
  const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
  return refusal(400, { type: 'idempotency_error', message });
}

function replayOf({ status, body }: Answer): Answer {
  const headers = { 'idempotent-replayed': 'true' };
  // Asking again with this key would only replay the stored error.
  return { status, body, headers: status >= 500 ? { ...headers, 'stripe-should-retry': 'false' } : headers };
}

const isV2 = (request: FastifyRequest) => request.url.startsWith('/v2/');

function idIn({ params }: FastifyRequest): string {
  return z.object({ id: z.string().optional() }).parse(params).id ?? '';
}

function formInput(request: FastifyRequest): unknown {
  const text = request.method === 'GET' ? (request.url.split('?')[1] ?? '') : textOf(request.body);
  return readForm(text);
}

function jsonInput(request: FastifyRequest): unknown {
  if (request.method === 'GET') return formInput(request);
  try {
    return JSON.parse(textOf(request.body) || '{}');
  } catch {
    throw invalid('The request body is not JSON.');
  }
}

/** Replaces ids by the objects they name. @param paths 'latest_charge.balance_transaction', 'data.charge' */
async function expand(stored: Stored, object: object, paths: readonly string[]): Promise<object> {
  let expanded = object;
  for (const path of paths) expanded = await expandPath(stored, expanded, path.split('.'), path);
  return expanded;
}

async function expandPath(
  stored: Stored,
  object: object,
  [name = '', ...rest]: readonly string[],
  whole: string,
): Promise<object> {
  const onward = async (value: object) => (rest.length > 0 ? expandPath(stored, value, rest, whole) : value);
  const value = await valueAt(stored, object, name, whole);
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

/** The value of a field; an id is replaced by its object. */
async function valueAt(stored: Stored, object: object, name: string, whole: string): Promise<object | null> {
  if (name === 'refunds' && 'object' in object && object.object === 'charge' && 'id' in object) {
    const refunds = (await stored.refunds.list()).filter(({ charge }) => charge === object.id).reverse();
    return listOf(refunds, `/v1/charges/${String(object.id)}/refunds`);
  }
  const value = new Map<string, unknown>(Object.entries(object)).get(name);
  if (value === null || isObject(value)) return value;
  const collection = typeof value === 'string' ? collectionOf(stored, value) : undefined;
  if (!collection || typeof value !== 'string') {
    throw unreadable(`This property cannot be expanded (${whole}).`);
  }
  return collection.get(value);
}

/** Where the object with this id is stored, by the prefix of its id. */
function collectionOf(stored: Stored, id: string) {
  const collections = new Map<string | undefined, { get(id: string): Promise<object | null> }>([
    ['ch', stored.charges],
    ['cus', stored.customers],
    ['pi', stored.paymentIntents],
    ['du', stored.disputes],
    ['pm', stored.paymentMethods],
    ['re', stored.refunds],
    ['tr', stored.transfers],
    ['trr', stored.reversals],
    ['txn', stored.balanceTransactions],
  ]);
  return collections.get(id.split('_')[0]);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
