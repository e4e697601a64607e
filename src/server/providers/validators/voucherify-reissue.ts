import { z } from 'zod';
import { NotReached, type Reissuing, type Replacement } from './adapter.ts';
import { askHttp, createReissueGuard, type HttpAnswer } from './http.ts';
import type { VoucherifySetting } from './settings.ts';
import { addressOf } from './templates.ts';

/**
 * New codes by Voucherify's published API. The new voucher is created inactive, the old one is disabled, and only then is
 * the new one enabled: wherever this stops, never are both valid, and every call may be repeated.
 */

const listSchema = z.object({ total: z.number(), data: z.array(z.object({ rule_id: z.string() })) });

const voucherSchema = z.object({
  type: z.enum(['DISCOUNT_VOUCHER', 'GIFT_VOUCHER', 'LOYALTY_CARD']),
  active: z.boolean().nullish(),
  campaign_id: z.string().nullish(),
  category_id: z.string().nullish(),
  discount: z.record(z.string(), z.json()).nullish(),
  gift: z.object({ balance: z.number(), effect: z.string().nullish() }).nullish(),
  start_date: z.string().nullish(),
  expiration_date: z.string().nullish(),
  validity_timeframe: z.json().nullish(),
  validity_day_of_week: z.json().nullish(),
  validity_hours: z.json().nullish(),
  additional_info: z.string().nullish(),
  metadata: z.record(z.string(), z.json()).nullish(),
  is_referral_code: z.boolean().nullish(),
  redemption: z.object({ quantity: z.number().nullish(), redeemed_quantity: z.number().nullish() }).nullish(),
  validation_rules_assignments: listSchema.nullish(),
});
type Voucher = z.output<typeof voucherSchema>;

type Send = (
  method: 'GET' | 'POST',
  what: '' | '/enable' | '/disable',
  which: Which,
  body?: string,
) => Promise<HttpAnswer>;
type Which = 'code' | 'newCode';

/** @param headers the keys of the account */
export function createVoucherifyReissuing(
  setting: VoucherifySetting,
  headers: Readonly<Record<string, string>>,
): Reissuing {
  const guard = createReissueGuard(setting);

  const sender =
    (given: Replacement, signal: AbortSignal): Send =>
    (method, what, which, body) => {
      const url = addressOf(setting.baseUrl, `/v1/vouchers/{${which}}${what}`, given);
      // Two dots cannot be a part of an address: such a code has no page there.
      if (!url) return Promise.resolve({ status: 404, json: undefined });
      const sent = body === undefined ? headers : { ...headers, 'content-type': 'application/json' };
      return askHttp({ url, method, headers: sent, body: body ?? null }, signal);
    };

  return {
    reissue: (given) =>
      guard(async (signal) => {
        const isDone = await replace(sender(given, signal));
        return isDone ? { kind: 'reissued', code: given.newCode } : { kind: 'refused' };
      }),
    restore: (given) => guard((signal) => bringBack(sender(given, signal))),
  };
}

/** @returns false when nothing has changed: the voucher is of a kind that cannot be copied, or it is not valid */
async function replace(send: Send): Promise<boolean> {
  const old = await read(send, 'code');
  if (!old) return false;
  const made = await read(send, 'newCode');
  if (made?.active) {
    // An earlier call got this far; only its answer was lost.
    await turn(send, 'disable', 'code');
    return true;
  }
  if (!made) {
    const body = old.active === false ? null : bodyOf(old);
    if (body === null) return false;
    const { status } = await send('POST', '', 'newCode', body);
    // 409: the same call has just been made.
    if (status === 400 || status === 404 || status === 422) return false;
    if (status !== 200 && status !== 409) throw new NotReached(`status ${status}`);
  }
  await turn(send, 'disable', 'code');
  const [before, copy] = [await read(send, 'code'), await read(send, 'newCode')];
  if (!before || !copy) throw new NotReached('a voucher that has just been there');
  if (!isWorthTheSame(before, copy)) {
    // Somebody has used the old code meanwhile, and its copy is worth more.
    await turn(send, 'enable', 'code');
    return false;
  }
  await turn(send, 'enable', 'newCode');
  return true;
}

async function bringBack(send: Send): Promise<'restored' | 'refused'> {
  const made = await read(send, 'newCode');
  if (made) {
    await turn(send, 'disable', 'newCode');
    if (((await read(send, 'newCode'))?.redemption?.redeemed_quantity ?? 0) > 0) return 'refused';
  }
  if (!(await read(send, 'code'))) return 'refused';
  await turn(send, 'enable', 'code');
  return 'restored';
}

/** @returns null if there is no such voucher */
async function read(send: Send, which: Which): Promise<Voucher | null> {
  const { status, json } = await send('GET', '', which);
  if (status === 404) return null;
  const found = status === 200 ? voucherSchema.safeParse(json) : null;
  if (!found?.success) throw new NotReached(`status ${status} or an answer that does not read`);
  return found.data;
}

async function turn(send: Send, what: 'enable' | 'disable', which: Which): Promise<void> {
  const { status } = await send('POST', `/${what}`, which);
  if (status !== 200) throw new NotReached(`status ${status}`);
}

const leftOf = ({ redemption }: Voucher) =>
  redemption?.quantity == null ? null : redemption.quantity - (redemption.redeemed_quantity ?? 0);

function isWorthTheSame(old: Voucher, copy: Voucher): boolean {
  return leftOf(old) === leftOf(copy) && old.gift?.balance === copy.gift?.balance;
}

/** The body that creates an inactive copy of a voucher with what is left of it; null where there is no exact copy. */
function bodyOf(old: Voucher): string | null {
  const { type, discount, gift, validation_rules_assignments: rules, is_referral_code: isReferral } = old;
  const left = leftOf(old);
  const isAllOfThem = !rules || rules.total === rules.data.length;
  const isCopyable =
    type !== 'LOYALTY_CARD' && !isReferral && isAllOfThem && left !== 0 && gift?.balance !== 0;
  if (!isCopyable || (type === 'DISCOUNT_VOUCHER' ? !discount : !gift)) return null;
  const fields = {
    type,
    discount: type === 'DISCOUNT_VOUCHER' ? discount : null,
    gift:
      type === 'GIFT_VOUCHER' && gift
        ? { amount: gift.balance, ...(gift.effect && { effect: gift.effect }) }
        : null,
    campaign_id: old.campaign_id,
    category_id: old.category_id,
    start_date: old.start_date,
    expiration_date: old.expiration_date,
    validity_timeframe: old.validity_timeframe,
    validity_day_of_week: old.validity_day_of_week,
    validity_hours: old.validity_hours,
    additional_info: old.additional_info,
    metadata: old.metadata,
    redemption: left === null ? null : { quantity: left },
    validation_rules: rules?.data.length ? rules.data.map(({ rule_id }) => rule_id) : null,
  };
  const stated = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return JSON.stringify({ ...Object.fromEntries(stated), active: false });
}
