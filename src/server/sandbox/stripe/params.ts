import { z } from 'zod';
import { UnreadableRequest } from './errors.ts';

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
