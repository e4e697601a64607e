/** Every error code of the API and its HTTP status, for REST and tRPC. */
export const ERROR_STATUS = {
  bad_input: 400,
  unauthorized: 401,
  forbidden: 403,
  second_factor_required: 403,
  address_unconfirmed: 403,
  not_found: 404,
  conflict: 409,
  username_taken: 409,
  email_taken: 409,
  code_dead: 409,
  code_listed: 409,
  code_refused: 409,
  code_unchecked: 409,
  code_on_its_way: 409,
  coupon_reserved: 409,
  coupon_unavailable: 409,
  deal_changed: 409,
  too_many_deals: 409,
  exchange_exists: 409,
  bid_exists: 409,
  no_code: 409,
  bid_not_accepted: 409,
  seller_not_ready: 409,
  payment_changed: 409,
  payment_declined: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  payments_unavailable: 503,
  unavailable: 503,
  outcome_unknown: 503,
  maintenance: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The error of a failed call: a text for people, a code for programs, and the fields at fault. */
export interface WireError {
  error: string;
  code: ErrorCode;
  issues?: { path: string; message: string }[] | undefined;
  /** Of a failure of ours: under this id the operator finds it in the log. */
  requestId?: string | undefined;
}

/** What somebody was refused: an act, a sign-in, a proof of who they are, a request from another site, or too many. */
export const DENIAL_KINDS = [
  'forbidden',
  'sign_in',
  'second_factor',
  'password',
  'link',
  'origin',
  'limit',
] as const;
export type DenialKind = (typeof DENIAL_KINDS)[number];
