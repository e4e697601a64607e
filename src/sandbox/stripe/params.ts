import type Stripe from 'stripe';
import { z } from 'zod';
import { Refusal } from '#sandbox/server.ts';

/** In a form every parameter is text. */
export const formInteger = z
  .string()
  .regex(/^-?\d{1,12}$/)
  .transform(Number);
export const formFlag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const metadataSchema = z.record(z.string().max(40), z.string().max(500));
/** Which page of a list is wanted. */
export const pageParams = {
  limit: formInteger.pipe(z.number().min(1).max(100)).default(10),
  starting_after: z.string().optional(),
};

const time = formInteger.optional();
/** Every list can be limited to a time, in seconds. Gives a test of an object's `created`. */
export const createdFilter = z
  .union([
    formInteger.transform((at) => ({ gte: at, lte: at })),
    z.strictObject({ gt: time, gte: time, lt: time, lte: time }),
  ])
  .optional()
  .transform((range = {}) => {
    const { gt, gte, lt, lte } = { gt: undefined, lt: undefined, ...range };
    return (at: number) =>
      !(at <= (gt ?? -1) || at < (gte ?? 0) || at >= (lt ?? Infinity) || at > (lte ?? Infinity));
  });

/**
 * Reads a request's parameters. Like Stripe it refuses unknown ones.
 * @throws UnreadableRequest parameter_unknown, parameter_missing, parameter_invalid
 */
export function readParams<T>(input: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = paramName(issue?.path ?? []);
  if (issue?.code === 'unrecognized_keys') {
    const unknown = paramName([...issue.path, issue.keys[0] ?? '']);
    throw unreadable(`Received unknown parameter: ${unknown}`, { code: 'parameter_unknown', param: unknown });
  }
  if (issue && valueAt(input, issue.path) === undefined) {
    throw unreadable(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  throw unreadable(`Invalid ${param}: ${issue?.message ?? 'unreadable'}`, {
    code: 'parameter_invalid',
    param,
  });
}

/** Takes `expand`, which every route accepts, out of the parameters. */
export function withoutExpand(given: unknown): { input: unknown; paths: readonly string[] } {
  const { expand, ...input } = z.looseObject({ expand: z.array(z.string()).default([]) }).parse(given ?? {});
  return { input, paths: expand };
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined),
    input,
  );
}

function paramName([first, ...rest]: readonly PropertyKey[]): string {
  return String(first ?? '') + rest.map((part) => `[${String(part)}]`).join('');
}

/** A list on one page. */
export function listOf<T>(data: T[], url: string): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: false, url };
}

/** One page of a list, newest first. */
export function pageOf<T extends { id: string }>(
  oldestFirst: readonly T[],
  { limit, starting_after: after }: { limit: number; starting_after?: string | undefined },
  url: string,
): Stripe.ApiList<T> {
  const all = [...oldestFirst].reverse();
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(start, start + limit);
  return { object: 'list', data, has_more: start + limit < all.length, url };
}

/** Stripe's errors are `{ error: { type, code, message, … } }`. */
interface StripeErrorBody {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly message: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  readonly charge?: string;
  readonly payment_intent?: unknown;
  readonly payment_method?: unknown;
}

export function refusal(status: number, error: StripeErrorBody): Refusal {
  return new Refusal(error.message, { status, body: { error } });
}

export function invalid(message: string, more: { code?: string; param?: string } = {}): Refusal {
  return refusal(400, { type: 'invalid_request_error', message, ...more });
}

export function missing(object: string, id: string, param: string): Refusal {
  const message = `No such ${object}: '${id}'`;
  return refusal(404, { type: 'invalid_request_error', code: 'resource_missing', message, param });
}

/** Refused before anything is done, so nothing is stored under the idempotency key. */
export class UnreadableRequest extends Refusal {}

export function unreadable(...given: Parameters<typeof invalid>): UnreadableRequest {
  const { message, answer } = invalid(...given);
  return new UnreadableRequest(message, answer);
}
