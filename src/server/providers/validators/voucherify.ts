import { z } from 'zod';
import { canonicalMerchant } from '#server/core/fold.ts';
import { withoutEnd } from '#server/core/text.ts';
import {
  type Adapter,
  type Answer,
  type Condition,
  NotReached,
  type Redemptions,
  type Refusal,
  type Worth,
} from './adapter.ts';
import { askHttp, createGuard, type HttpAnswer } from './http.ts';
import type { VoucherifySetting } from './settings.ts';
import { addressOf, type Filling, fillJson } from './templates.ts';
import { createVoucherifyReissuing } from './voucherify-reissue.ts';

const discountSchema = z.object({
  type: z.string().nullish(),
  amount_off: z.number().nullish(),
  percent_off: z.number().nullish(),
  /** The most that a percentage takes off. */
  amount_limit: z.number().nullish(),
  /** Computed for each order. */
  is_dynamic: z.boolean().nullish(),
});

const resultSchema = z.object({
  discount: discountSchema.nullish(),
  gift: z.object({ balance: z.number().nullish() }).nullish(),
  error: z.object({ key: z.string().nullish() }).nullish(),
  details: z.object({ key: z.string().nullish() }).nullish().catch(null),
});

const redeemableSchema = z.object({
  status: z.enum(['APPLICABLE', 'INAPPLICABLE', 'SKIPPED']),
  result: resultSchema.nullish(),
});
const redeemablesSchema = z.array(redeemableSchema).nullish();

const validationSchema = z.object({
  valid: z.boolean(),
  redeemables: redeemablesSchema,
  // Some accounts list these separately.
  inapplicable_redeemables: redeemablesSchema,
  skipped_redeemables: redeemablesSchema,
});

const voucherSchema = z.object({ expiration_date: z.string().nullish() });

/** `GET /v1/vouchers/{code}/redemption`, of which there may be more pages. */
const redemptionsSchema = z.object({
  redeemed_quantity: z.int().min(0),
  redemption_entries: z.array(
    z.object({
      id: z.string(),
      object: z.string(),
      date: z.iso.datetime({ offset: true }),
      result: z.string(),
      /** Of a rollback: the redemption that it takes back. */
      redemption: z.string().nullish(),
    }),
  ),
});

const REFUSAL_OF: Readonly<Record<string, Refusal>> = {
  voucher_expired: 'expired',
  voucher_disabled: 'disabled',
  quantity_exceeded: 'used',
  gift_amount_exceeded: 'used',
  voucher_not_active: 'not_active',
  voucher_not_active_now: 'not_active',
  not_found: 'not_found',
  resource_not_found: 'not_found',
};

const CONDITION_OF: Readonly<Record<string, Condition>> = {
  order_rules_violated: 'order',
  missing_order: 'order',
  missing_order_items: 'order',
  missing_amount: 'order',
  customer_rules_violated: 'customer',
  missing_customer: 'customer',
  redemption_rules_violated: 'redemption',
};

/** An account with Voucherify. It uses validations, which neither lock nor redeem a code. */
export function createVoucherify(setting: VoucherifySetting): Adapter {
  const guard = createGuard(setting);
  const merchants = setting.merchants.map(canonicalMerchant);
  const isMerchantBound = merchants.length > 0;
  return {
    source: setting.source,
    isMerchantBound,
    isAboutMerchant: isMerchantBound,
    serves: (merchant) => !isMerchantBound || merchants.includes(canonicalMerchant(merchant)),
    async ask(filling) {
      const endsAt = performance.now() + setting.timeoutMs;
      const answer = await guard(async (signal) => {
        return toAnswer(await validate(setting, filling, signal), setting);
      });
      if (answer.kind !== 'valid') return answer;
      const left = Math.floor(endsAt - performance.now());
      return { ...answer, expiryDate: left > 0 ? await findExpiry(setting, filling, left) : null };
    },
    reissuing: setting.reissue ? createVoucherifyReissuing(setting, headersOf(setting)) : null,
    redemptionsOf: isMerchantBound ? askRedemptions(setting) : null,
  };
}

function headersOf({ appId, appToken }: VoucherifySetting): Record<string, string> {
  return { 'x-app-id': appId, 'x-app-token': appToken, accept: 'application/json' };
}

function validate(setting: VoucherifySetting, filling: Filling, signal: AbortSignal): Promise<HttpAnswer> {
  const url = new URL(`${withoutEnd(setting.baseUrl, '/')}/v1/validations`);
  const body = fillJson({ redeemables: [{ object: 'voucher', id: '{code}' }] }, filling);
  const headers = { ...headersOf(setting), 'content-type': 'application/json' };
  return askHttp({ url, method: 'POST', headers, body }, signal);
}

/** @throws NotReached when this does not answer the question: wrong keys, an unpaid account, an unknown format */
function toAnswer({ status, json }: HttpAnswer, { currency, merchants }: VoucherifySetting): Answer {
  // The request was refused, for example for characters that their codes never have: the code stays unknown.
  if (status === 400 || status === 422) return { kind: 'unknown' };
  if (status !== 200) throw new NotReached(`status ${status}`);
  const parsed = validationSchema.safeParse(json);
  if (!parsed.success) throw new NotReached('an answer that does not read');
  const { valid, redeemables, inapplicable_redeemables, skipped_redeemables } = parsed.data;
  const [asked] = [redeemables, inapplicable_redeemables, skipped_redeemables].flatMap((list) => list ?? []);
  if (!asked || valid !== (asked.status === 'APPLICABLE')) {
    throw new NotReached('an answer that contradicts itself');
  }
  if (asked.status === 'APPLICABLE') {
    // Valid, with nothing left to pay with.
    if (asked.result?.gift?.balance === 0) return { kind: 'invalid', refusal: 'used' };
    return { kind: 'valid', worth: worthOf(asked.result, currency), expiryDate: null };
  }
  const key = asked.result?.error?.key ?? asked.result?.details?.key ?? '';
  const refusal = REFUSAL_OF[key];
  if (refusal) return { kind: 'invalid', refusal };
  const condition = CONDITION_OF[key];
  if (condition) return { kind: 'conditional', condition };
  // A merchant's "no" is one, whatever the reason; another account may mean a code of its own.
  const isRefused = asked.status === 'INAPPLICABLE' && merchants.length > 0;
  return isRefused ? { kind: 'invalid', refusal: 'refused' } : { kind: 'unknown' };
}

/** Voucherify's amounts are hundredths in every currency; its percentages are per cent. */
function worthOf(
  result: z.output<typeof resultSchema> | null | undefined,
  currency: VoucherifySetting['currency'],
): Worth | null {
  const { discount, gift } = result ?? {};
  if (discount?.type === 'AMOUNT' && !discount.is_dynamic && discount.amount_off) {
    return { hundredths: discount.amount_off, discountType: 'fixed', currency };
  }
  if (discount?.type === 'PERCENT' && !discount.is_dynamic && discount.percent_off) {
    return {
      hundredths: Math.round(discount.percent_off * 100),
      discountType: 'percentage',
      ...(discount.amount_limit && { atMost: discount.amount_limit }),
      currency,
    };
  }
  if (gift?.balance) return { hundredths: gift.balance, discountType: 'fixed', currency };
  return null;
}

function askRedemptions(setting: VoucherifySetting): Adapter['redemptionsOf'] {
  // A guard of its own: keys that may not read this can still ask whether a code is valid.
  const guard = createGuard(setting);
  return async (filling) => {
    const url = addressOf(setting.baseUrl, '/v1/vouchers/{code}/redemption', filling);
    if (!url) throw new NotReached('a code that is no part of an address');
    const request = { url, method: 'GET', headers: headersOf(setting), body: null } as const;
    return guard(async (signal) => toRedemptions(await askHttp(request, signal)));
  };
}

/** @throws NotReached when the answer does not say how the voucher was used */
function toRedemptions({ status, json }: HttpAnswer): Redemptions {
  if (status === 404) return { count: 0, told: [] };
  const parsed = status === 200 ? redemptionsSchema.safeParse(json) : null;
  if (!parsed?.success) throw new NotReached(`status ${status} or an answer that does not read`);
  const { redeemed_quantity: count, redemption_entries: entries } = parsed.data;
  const done = entries.filter(({ result }) => result === 'SUCCESS');
  const takenBack = new Set(
    done.map(({ object, redemption }) => object === 'redemption_rollback' && redemption),
  );
  const told = done
    .filter(({ id, object }) => object === 'redemption' && !takenBack.has(id))
    .map(({ date }) => ({ at: new Date(date), place: null }));
  return { count: Math.max(count, told.length), told };
}

/** The last day of a valid code; null if Voucherify does not state it in the remaining time. */
async function findExpiry(
  setting: VoucherifySetting,
  filling: Filling,
  withinMs: number,
): Promise<string | null> {
  const url = addressOf(setting.baseUrl, '/v1/vouchers/{code}', filling);
  if (!url) return null;
  try {
    const request = { url, method: 'GET', headers: headersOf(setting), body: null } as const;
    const { status, json } = await askHttp(request, AbortSignal.timeout(withinMs));
    const at = Date.parse((status === 200 && voucherSchema.safeParse(json).data?.expiration_date) || '');
    return Number.isNaN(at) ? null : new Date(at).toISOString().slice(0, 10);
  } catch (error) {
    if (error instanceof NotReached) return null;
    throw error;
  }
}
