import { type DenialKind, ERROR_STATUS, type ErrorCode, type WireError } from '#contract/base/errors.ts';

interface Extra {
  readonly issues?: WireError['issues'];
  readonly retryAfter?: number;
  readonly cause?: unknown;
  /** How it is counted for admins; `forbidden` and `rate_limited` are counted as such without it. */
  readonly refused?: { readonly kind: DenialKind; readonly userId?: number | undefined };
}

/** A refusal for people to read: its text is shown, its code decides the HTTP status. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly issues: WireError['issues'];
  /** Seconds after which a refused call may be tried again. */
  readonly retryAfter: number | undefined;
  readonly refused: Extra['refused'];

  constructor(code: ErrorCode, message: string, extra: Extra = {}) {
    super(message, { cause: extra.cause });
    this.code = code;
    this.issues = extra.issues;
    this.retryAfter = extra.retryAfter;
    this.refused = extra.refused;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** A refusal that names one input field. */
export function fieldError(
  code: ErrorCode,
  path: string,
  message: string,
  refused?: Extra['refused'],
): AppError {
  return new AppError(code, message, { issues: [{ path, message }], ...(refused && { refused }) });
}

/** The answer when something does not exist and when this person may not see it: the two look the same. */
export function notFound(message: string): AppError {
  return new AppError('not_found', message);
}
