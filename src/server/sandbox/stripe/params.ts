import type Stripe from 'stripe';
import { z } from 'zod';

/** Parameters as a form carries them: all of them texts. */
export const formInteger = z
  .string()
  .regex(/^-?\d{1,12}$/)
  .transform(Number);
export const formFlag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const metadataSchema = z.record(z.string().max(40), z.string().max(500));
/** How a list is to be cut. */
export const pageParams = {
  limit: formInteger.pipe(z.number().min(1).max(100)).default(10),
  starting_after: z.string().optional(),
};

/**
 * Reads a request's parameters; one that Stripe does not know is refused, as Stripe does.
 * @throws UnreadableRequest parameter_unknown, parameter_missing, parameter_invalid_…
 */
export function readParams<T>(input: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = paramName(issue?.path ?? []);
  if (issue?.code === 'unrecognized_keys') {
    const unknown = paramName([...issue.path, issue.keys[0] ?? '']);
    throw unreadable('parameter_unknown', `Received unknown parameter: ${unknown}`, unknown);
  }
  if (issue && valueAt(input, issue.path) === undefined) {
    throw unreadable('parameter_missing', `Missing required param: ${param}.`, param);
  }
  throw unreadable('parameter_invalid', `Invalid ${param}: ${issue?.message ?? 'unreadable'}`, param);
}

/** Takes `expand` out of the parameters: it is every route's. */
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

function unreadable(code: string, message: string, param: string): UnreadableRequest {
  return new UnreadableRequest(400, { type: 'invalid_request_error', code, message, param });
}

/** A list of Stripe's, all on one page. */
export function listOf<T>(data: T[], url: string): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: false, url };
}

/** One page of a list. @param oldestFirst as they were made; Stripe answers the newest first */
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

/** What Stripe says when it does not do something: `{ error: { type, code, message, … } }` under a status. */
export interface StripeErrorBody {
  readonly type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  readonly message: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  readonly charge?: string;
  readonly payment_intent?: unknown;
  readonly payment_method?: unknown;
}

/** A request that the sandbox refuses, in Stripe's shape. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
  readonly status: number;
  readonly error: StripeErrorBody;

  constructor(status: number, error: StripeErrorBody) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

/** The parameters do not read: refused before anything is done, and not stored under an idempotency key. */
export class UnreadableRequest extends StripeRefusal {}

export function invalid(message: string, more: { code?: string; param?: string } = {}): StripeRefusal {
  return new StripeRefusal(400, { type: 'invalid_request_error', message, ...more });
}

export function missing(object: string, id: string, param = 'id'): StripeRefusal {
  const message = `No such ${object}: '${id}'`;
  return new StripeRefusal(404, { type: 'invalid_request_error', code: 'resource_missing', message, param });
}
