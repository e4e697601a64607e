import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { z } from 'zod';
import { openValidators } from '#server/providers/validators/open-validators.ts';
import type { Validators } from '#server/providers/validators/validators.ts';
import {
  json,
  MERCHANT,
  type SandboxServer,
  startSandboxServer,
  voucherify,
  voucherifyAt,
} from './voucher-sandbox.ts';

/** A voucher of the programme, with the fields of Voucherify's OpenAPI document. */
export interface ProgrammeVoucher {
  readonly code: string;
  type: 'DISCOUNT_VOUCHER' | 'GIFT_VOUCHER' | 'LOYALTY_CARD';
  active: boolean;
  discount: Record<string, unknown> | null;
  gift: { amount: number; balance: number; effect?: string } | null;
  redemption: { quantity: number | null; redeemed_quantity: number };
  /** What else it was created with. */
  rest: Record<string, unknown>;
  /** As the schema RedemptionEntry of the same document has them, as far as it matters here. */
  entries: {
    id: string;
    object: 'redemption' | 'redemption_rollback';
    date: string;
    result: 'SUCCESS' | 'FAILURE';
    redemption?: string;
  }[];
}

/**
 * The body of `POST /v1/vouchers/{code}`, as the schemas VoucherCreateDiscount and VoucherCreateGift of
 * voucherifyio/voucherify-openapi@65c33a7 have it. Anything else is an error of ours.
 */
const createBase = {
  campaign: z.string().optional(),
  campaign_id: z.string().optional(),
  category: z.string().optional(),
  category_id: z.string().optional(),
  start_date: z.iso.datetime().optional(),
  expiration_date: z.iso.datetime().optional(),
  validity_timeframe: z.strictObject({ interval: z.string(), duration: z.string() }).optional(),
  validity_day_of_week: z.array(z.int().min(0).max(6)).optional(),
  validity_hours: z.strictObject({ daily: z.array(z.record(z.string(), z.unknown())) }).optional(),
  active: z.boolean().optional(),
  additional_info: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  validation_rules: z.array(z.string()).optional(),
  redemption: z.strictObject({ quantity: z.int() }).optional(),
};
const createBodySchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...createBase,
    type: z.literal('DISCOUNT_VOUCHER'),
    discount: z.looseObject({ type: z.enum(['AMOUNT', 'PERCENT', 'UNIT', 'FIXED']) }),
  }),
  z.strictObject({
    ...createBase,
    type: z.literal('GIFT_VOUCHER'),
    gift: z.strictObject({
      amount: z.number(),
      effect: z.enum(['APPLY_TO_ORDER', 'APPLY_TO_ITEMS']).optional(),
    }),
  }),
]);

/** Where a request can be stopped: it never arrives, or its answer is lost. */
type Stop = 'before' | 'after' | null;

/** A voucher programme that keeps its vouchers, and speaks Voucherify's API. */
export interface Programme {
  readonly server: SandboxServer;
  readonly validators: Validators;
  readonly vouchers: Map<string, ProgrammeVoucher>;
  /** Bodies that are not as the published document has them. */
  readonly faults: unknown[];
  /** Issues a code. */
  issue(code: string, given?: Partial<ProgrammeVoucher>): void;
  /** Whether a code works at the till. */
  isValid(code: string): boolean;
  /** Uses a code at the till, or takes that back. */
  redeem(code: string, at: Date): void;
  rollBack(code: string): void;
  /** Decides about each request what becomes of it; null: all arrive. */
  stopping: ((request: string) => Stop) | null;
}

/** Starts a programme of MERCHANT's own that mints new codes; one for the tests of a file. */
export function setUpProgramme(): Programme {
  const vouchers = new Map<string, ProgrammeVoucher>();
  const faults: unknown[] = [];
  let own = openValidators({ adapters: [] });
  const programme = {
    // From the start, so that the app of a test can be made with them.
    validators: {
      hasOwn: (merchant) => own.hasOwn(merchant),
      check: (question) => own.check(question),
      canReissue: (merchant) => own.canReissue(merchant),
      reissue: (given) => own.reissue(given),
      restore: (given) => own.restore(given),
      tellsRedemptions: (merchant) => own.tellsRedemptions(merchant),
      redemptionsOf: (given) => own.redemptionsOf(given),
    },
    vouchers,
    faults,
    stopping: null,
    isValid(code) {
      const voucher = vouchers.get(code);
      return voucher !== undefined && refusalOf(voucher) === null;
    },
    redeem(code, at) {
      const voucher = vouchers.get(code);
      const isDone = voucher !== undefined && refusalOf(voucher) === null;
      if (isDone) voucher.redemption.redeemed_quantity += 1;
      const entry = { id: `r_${randomUUID()}`, object: 'redemption', date: at.toISOString() } as const;
      voucher?.entries.push({ ...entry, result: isDone ? 'SUCCESS' : 'FAILURE' });
    },
    rollBack(code) {
      const voucher = vouchers.get(code);
      const last = voucher?.entries.findLast(({ result }) => result === 'SUCCESS');
      if (!voucher || !last) throw new Error('Nothing was redeemed');
      voucher.redemption.redeemed_quantity -= 1;
      const entry = { id: `rr_${randomUUID()}`, object: 'redemption_rollback', date: last.date } as const;
      voucher.entries.push({ ...entry, result: 'SUCCESS', redemption: last.id });
    },
    issue(code, given = {}) {
      const discount = { type: 'AMOUNT', amount_off: 500, effect: 'APPLY_TO_ORDER' };
      const redemption = { quantity: 1, redeemed_quantity: 0 };
      const kind = { type: 'DISCOUNT_VOUCHER', active: true, gift: null } as const;
      vouchers.set(code, { code, ...kind, discount, redemption, rest: {}, entries: [], ...given });
    },
  } as Programme;
  beforeAll(async () => {
    const server = await startSandboxServer(async (asked, response) => {
      const stop = programme.stopping?.(`${asked.method} ${asked.url}`) ?? null;
      if (stop === 'before') return response.destroy();
      const answer = answerOf(programme, asked.method, asked.url, asked.body);
      if (stop === 'after') return response.destroy();
      return answer
        ? json(answer.body, answer.status)(asked, response)
        : validation(programme)(asked, response);
    });
    const setting = { merchants: [MERCHANT], failuresToOpen: 1_000_000, reissue: true };
    own = openValidators({ adapters: [voucherifyAt(server.baseUrl, setting)] });
    Object.assign(programme, { server });
  });
  beforeEach(() => {
    programme.stopping = null;
    programme.server.asked.splice(0);
  });
  afterAll(() => programme.server.close());
  return programme;
}

function refusalOf({ active, redemption, gift }: ProgrammeVoucher): string | null {
  if (!active) return 'voucher_disabled';
  const { quantity, redeemed_quantity: redeemed } = redemption;
  if (quantity !== null && redeemed >= quantity) return 'quantity_exceeded';
  return gift?.balance === 0 ? 'gift_amount_exceeded' : null;
}

/** Answers `POST /v1/validations` from the present vouchers. */
function validation({ vouchers }: Programme): ReturnType<typeof voucherify> {
  const known = [...vouchers.values()].map((voucher) => {
    const error = refusalOf(voucher);
    const worth = { discount: voucher.discount ?? undefined, gift: voucher.gift ?? undefined };
    return [voucher.code, error === null ? worth : { error }] as const;
  });
  return voucherify(Object.fromEntries(known) as Parameters<typeof voucherify>[0]);
}

type Answered = { readonly status: number; readonly body: unknown } | null;

/** Null: no call about a voucher. */
function answerOf(
  { vouchers, faults, issue }: Programme,
  method: string,
  url: string,
  sent: string,
): Answered {
  const [, encoded = '', act] = /^\/v1\/vouchers\/([^/]+)(?:\/(enable|disable|redemption))?$/.exec(url) ?? [];
  if (encoded === '') return null;
  const code = decodeURIComponent(encoded);
  const voucher = vouchers.get(code);
  if (method === 'POST' && act === undefined) {
    if (voucher) return refusal(409, 'duplicate_found', code);
    const body = createBodySchema.safeParse(JSON.parse(sent));
    if (!body.success) {
      faults.push(body.error.issues);
      return refusal(400, 'invalid_payload', code);
    }
    const { type, active = true, redemption, ...rest } = body.data;
    const gift = 'gift' in rest ? { ...rest.gift, balance: rest.gift.amount } : null;
    const discount = 'discount' in rest ? rest.discount : null;
    const { gift: _gift, discount: _discount, ...kept } = { gift: null, discount: null, ...rest };
    const quantity = redemption?.quantity ?? null;
    issue(code, { type, active, gift, discount, redemption: { quantity, redeemed_quantity: 0 }, rest: kept });
    return { status: 200, body: shown(vouchers.get(code)) };
  }
  if (!voucher) return refusal(404, 'not_found', code);
  if (act === 'redemption') return { status: 200, body: used(voucher) };
  if (act) voucher.active = act === 'enable';
  return { status: 200, body: shown(voucher) };
}

/** As VouchersRedemptionGetResponseBody has it: the newest ten. */
function used({ code, redemption, entries }: ProgrammeVoucher) {
  const url = `/v1/vouchers/${code}/redemptions?page=1&limit=10`;
  const latest = entries.toReversed().slice(0, 10);
  return {
    ...redemption,
    ...{ object: 'list', url, data_ref: 'redemption_entries', total: entries.length },
    redemption_entries: latest.map((entry) => ({ ...entry, customer_id: null, metadata: {} })),
  };
}

/** As VouchersGetResponseBody has it: what a voucher does not have is null. */
function shown(voucher: ProgrammeVoucher | undefined) {
  if (!voucher) return null;
  const { rest, redemption, entries: _entries, ...stated } = voucher;
  const { validation_rules: rules, ...kept } = rest as { validation_rules?: string[] };
  const absent = { campaign: null, campaign_id: null, category: null, category_id: null, loyalty_card: null };
  const dates = { start_date: null, expiration_date: null, validity_timeframe: null, validity_hours: null };
  const data = (rules ?? []).map((rule_id) => ({
    id: `asgm_${rule_id}`,
    rule_id,
    related_object_type: 'voucher',
  }));
  return {
    id: `v_${randomUUID()}`,
    ...{ ...absent, ...dates, validity_day_of_week: null, additional_info: null, metadata: {} },
    ...{ ...stated, ...kept },
    is_referral_code: false,
    validation_rules_assignments: { object: 'list', data_ref: 'data', data, total: data.length },
    redemption: { ...redemption, object: 'list', url: `/v1/vouchers/${voucher.code}/redemptions` },
    publish: { object: 'list', count: 0 },
    object: 'voucher',
  };
}

function refusal(status: number, key: string, code: string): Answered {
  // Like the real service, it repeats the code.
  return {
    status,
    body: { code: status, key, message: key, details: `voucher with id ${code}`, resource_id: code },
  };
}
