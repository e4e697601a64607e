import { t } from '@lingui/core/macro';
import { TRPCClientError } from '@trpc/client';
import { ERROR_STATUS, type ErrorCode, type WireError } from '#contract/base/errors.ts';
import { SHELL_TEXTS } from '#contract/base/shell-texts.ts';

/** An error answer that did not come from tRPC: from a proxy, or from an earlier part of the server. */
export class UnexpectedAnswer extends Error {
  readonly status: number;
  readonly wire: WireError | null;

  constructor(status: number, text: string, wire: WireError | null) {
    super(text);
    this.name = 'UnexpectedAnswer';
    this.status = status;
    this.wire = wire;
  }
}

/** The server's error, where the answer contains one in our own format. */
export function wireErrorOf(error: unknown): WireError | null {
  if (!(error instanceof TRPCClientError)) return null;
  const cause: unknown = error.cause;
  if (cause instanceof UnexpectedAnswer) return cause.wire;
  return readWireError(error.data?.wire);
}

/** The error in an answer, where it has our own format. */
export function readWireError(body: unknown): WireError | null {
  if (typeof body !== 'object' || body === null) return null;
  const { error, code, issues, requestId } = body as Partial<Record<keyof WireError, unknown>>;
  if (typeof error !== 'string' || !isErrorCode(code)) return null;
  if (issues !== undefined && !(Array.isArray(issues) && issues.every(isIssue))) return null;
  if (requestId !== undefined && typeof requestId !== 'string') return null;
  return { error, code, issues, requestId };
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code);
}

function isIssue(issue: unknown): boolean {
  const { path, message } = (issue ?? {}) as Record<string, unknown>;
  return typeof path === 'string' && typeof message === 'string';
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof TRPCClientError)) return null;
  const cause: unknown = error.cause;
  if (cause instanceof UnexpectedAnswer) return cause.status;
  const status: unknown = error.data?.httpStatus;
  return typeof status === 'number' ? status : null;
}

/** Whether the call never got an answer. */
export function isNetworkFailure(error: unknown): boolean {
  return error instanceof TRPCClientError && statusOf(error) === null;
}

/** Whether the call failed because there is no network. */
export function isOffline(error: unknown): boolean {
  return isNetworkFailure(error) && !navigator.onLine;
}

/** Whether the server answered with this code. */
export function hasCode(error: unknown, code: ErrorCode): boolean {
  return wireErrorOf(error)?.code === code;
}

/** Whether the server refused for good: bad input, signed out, not allowed or not found. Asking again changes nothing. */
export function isFinal(error: unknown): boolean {
  return [400, 401, 403, 404].includes(statusOf(error) ?? 0);
}

/** Whether the server answered 409. */
export function isConflict(error: unknown): boolean {
  const wire = wireErrorOf(error);
  return wire !== null && ERROR_STATUS[wire.code] === 409;
}

/** Conflicts about the user's input: the data on screen is still current. */
const INPUT_CONFLICTS: readonly ErrorCode[] = [
  'username_taken',
  'email_taken',
  'code_dead',
  'code_listed',
  'code_unchecked',
];

/** Whether the data on screen may be outdated: the server refused for that reason, or nobody knows what became of it. */
export function isOutdated(error: unknown): boolean {
  const isUnknown = isNetworkFailure(error) || (statusOf(error) ?? 0) >= 500;
  const isStale = isUnknown || isConflict(error) || hasCode(error, 'not_found');
  return isStale && !INPUT_CONFLICTS.some((code) => hasCode(error, code));
}

/**
 * The text of a failed read (spec/1 section 1): its own words for 401 and 404, else 'status: text'.
 * @param fallback for an answer without a word in it
 */
export function readErrorText(error: unknown, fallback = t`The server gave no reason`): string {
  const status = statusOf(error);
  if (status === 401) return SHELL_TEXTS.requests.unauthorized();
  if (status === 404) return SHELL_TEXTS.requests.notFound();
  if (isNetworkFailure(error)) return navigator.onLine ? SHELL_TEXTS.requests.network() : LOADED_LATER;
  const wire = wireErrorOf(error);
  const text = wire?.error ?? (error instanceof Error ? error.message : String(error));
  if (text.trim() === '') return fallback;
  return status === null ? text : withReference(`${status}: ${text}`, wire);
}

/** The text of a read that failed because there is no network. */
export const LOADED_LATER = t`You are offline. We load this when you are back online.`;

/** Adds to a failure of ours the id under which support finds it in the log. */
function withReference(text: string, wire: WireError | null): string {
  return wire?.requestId ? t`${text} Reference: ${wire.requestId}` : text;
}

/**
 * The text of a failed write: the server's own, the text for a network failure, or `fallback`; with the reference of a
 * failure of ours.
 */
export function writeErrorText(error: unknown, fallback: string): string {
  if (isNetworkFailure(error)) return SHELL_TEXTS.requests.network();
  const wire = wireErrorOf(error);
  return withReference(wire && wire.code !== 'internal' ? wire.error : fallback, wire);
}

/** The server's validation errors by form field, for `form.setErrors`. */
export function fieldErrors(error: unknown): Record<string, string> {
  const issues = wireErrorOf(error)?.issues ?? [];
  return Object.fromEntries(
    issues.filter(({ path }) => path !== '').map(({ path, message }) => [path, message]),
  );
}
