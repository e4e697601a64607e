import { t } from '@lingui/core/macro';
import { type TRPC_ERROR_CODE_KEY, TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { ERROR_STATUS, type ErrorCode, type WireError } from '#contract/base/errors.ts';
import { withField } from '#contract/base/input-texts.ts';
import { marketName } from '#contract/base/market.ts';
import { TEXTS } from '#contract/base/texts.ts';
import '#server/core/input-texts.ts';
import { AppError } from '#server/core/errors.ts';

const TRPC_CODES: Record<number, TRPC_ERROR_CODE_KEY> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

const CODES_BY_STATUS: Record<number, ErrorCode> = {
  400: 'bad_input',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  // The path exists, but not with this method.
  405: 'not_found',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  429: 'rate_limited',
  503: 'unavailable',
};

const internal = (): WireError => ({
  error: t`Something went wrong on our side. Please try again.`,
  code: 'internal',
});

function fromZod(error: ZodError): WireError {
  const issues = error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
  const [first] = error.issues;
  return first
    ? { error: withField(first), code: 'bad_input', issues }
    : { error: t`Please check what you entered`, code: 'bad_input' };
}

/** Failures of ours, which the log explains. */
const OURS: readonly ErrorCode[] = ['internal', 'unavailable', 'outcome_unknown'];

/**
 * Turns any failure into the error that clients see. An unexpected error shows no detail. Failures of ours carry
 * the id under which they are logged.
 */
export function toWire(error: unknown, requestId?: string): WireError {
  const wire = withoutReference(error);
  return OURS.includes(wire.code) && requestId ? { ...wire, requestId } : wire;
}

function withoutReference(error: unknown): WireError {
  if (error instanceof AppError) {
    const { code, message, issues } = error;
    return issues ? { error: message, code, issues } : { error: message, code };
  }
  if (error instanceof ZodError) return fromZod(error);
  if (error instanceof TRPCError) {
    if (error.code === 'INTERNAL_SERVER_ERROR')
      return error.cause ? withoutReference(error.cause) : internal();
    if (error.cause instanceof AppError) return withoutReference(error.cause);
    if (error.cause instanceof ZodError && error.code === 'BAD_REQUEST') return fromZod(error.cause);
    return fromStatus(trpcStatus(error.code));
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return fromStatus(status);
}

function trpcStatus(code: TRPC_ERROR_CODE_KEY): number {
  const known = Object.entries(TRPC_CODES).find(([, key]) => key === code);
  if (known) return Number(known[0]);
  return code === 'METHOD_NOT_SUPPORTED' ? 405 : code === 'PARSE_ERROR' ? 400 : 500;
}

/** What a framework says of a failure is for programmers, and English: the status gets a text of ours. */
function fromStatus(status: number): WireError {
  const code = CODES_BY_STATUS[status];
  if (code) return { error: statusText(status), code };
  return status >= 400 && status < 500 ? { error: statusText(status), code: 'bad_input' } : internal();
}

function statusText(status: number): string {
  switch (status) {
    case 400:
      return t`The request could not be read. Check that its body is valid JSON.`;
    case 401:
      return TEXTS.requests.unauthorized();
    case 403:
      return t`Your account cannot do this.`;
    case 404:
      return TEXTS.requests.notFound();
    case 405:
      return t`This address does not answer requests of this method`;
    case 409:
      return t`This has just changed. Please try again.`;
    case 413:
      return t`The request is too large`;
    case 415:
      return t`The request has a content type that is not accepted here`;
    case 429:
      return t`Too many requests. Please try again later.`;
    case 503:
      return t`${{ market: marketName() }} is not available right now. Please try again in a moment.`;
    default:
      return t`The request could not be answered`;
  }
}

export function statusOf(wire: WireError): number {
  return ERROR_STATUS[wire.code];
}

/** Seconds after which a call may be tried again; undefined where it should not be. */
export function retryAfterOf(error: unknown): number | undefined {
  const cause = error instanceof TRPCError ? error.cause : error;
  return cause instanceof AppError ? cause.retryAfter : undefined;
}

/** Turns any failure into tRPC's own error, with the code for the status that the contract names. */
export function toTrpcError(error: unknown): TRPCError {
  const wire = toWire(error);
  const cause = error instanceof TRPCError ? error.cause : error;
  const code = TRPC_CODES[statusOf(wire)] ?? 'INTERNAL_SERVER_ERROR';
  return new TRPCError({ code, message: wire.error, cause });
}
