import { t } from '@lingui/core/macro';
import { baseCurrency, formatDecimal } from '#contract/base/money.ts';
import { PERCENTAGE_MAX, VALUE_MAX } from '#contract/coupons/limits.ts';
import { OFFLINE_SUFFIX } from '#contract/coupons/validation.ts';
import type { Adapter, Answer, ApiSource, Condition, Refusal, Worth } from './adapter.ts';
import type { Verdict } from './validators.ts';

const NAMES: Record<ApiSource, string> = {
  voucherify: 'Voucherify',
  coupontools: 'Coupontools',
  aklamio: 'Aklamio',
};

/** A verdict without any details. */
export const NO_DETAILS: Omit<Verdict, 'valid' | 'message' | 'validatedWith'> = {
  value: null,
  discountType: null,
  expiryDate: null,
  description: null,
  requirement: null,
  confirmed: false,
  dead: false,
  confidence: 'none',
  checks: [],
};

const REFUSED: Record<Refusal, (name: string, merchant: string) => string> = {
  expired: () => t`This code has expired.`,
  disabled: () => t`This code has been withdrawn.`,
  used: () => t`This code has been used up.`,
  not_active: () => t`This code is not active yet.`,
  not_found: (name, merchant) => t`${name} does not know this code of ${merchant}.`,
  refused: (name, merchant) => t`${name} says that this code is not valid with ${merchant}.`,
};

/** Refusals that leave no hope: the code works nowhere, and will not later. */
const DEAD: readonly Refusal[] = ['expired', 'disabled', 'used', 'not_found'];

const CONDITIONAL: Record<Condition, () => string> = {
  order: () => t`Only with a purchase that meets the merchant’s conditions`,
  customer: () => t`Only for customers the merchant has chosen`,
  redemption: () => t`Other conditions of the merchant apply`,
};

/** Turns a provider's answer into a verdict; null if the provider does not know the code. */
export function toVerdict(
  {
    source,
    isMerchantBound,
    isAboutMerchant,
  }: Pick<Adapter, 'source' | 'isMerchantBound' | 'isAboutMerchant'>,
  answer: Answer,
  merchant: string,
): Verdict | null {
  const name = NAMES[source];
  const base = { ...NO_DETAILS, validatedWith: source, confidence: 'provider' as const };
  const asked = { name: 'provider', passed: true, text: t`${name} was asked.` };
  switch (answer.kind) {
    case 'unknown':
      return null;
    case 'invalid':
      // The account may have no codes of this merchant at all.
      if (answer.refusal === 'not_found' && !isMerchantBound) return null;
      return {
        ...base,
        valid: false,
        message: REFUSED[answer.refusal](name, merchant),
        // A code that is not active yet is neither good nor bad.
        confirmed: isAboutMerchant && answer.refusal !== 'not_active',
        dead: isAboutMerchant && DEAD.includes(answer.refusal),
        checks: [asked, { name: 'accepted', passed: false, text: t`The code is not accepted.` }],
      };
    case 'conditional': {
      const requirement = CONDITIONAL[answer.condition]();
      return {
        ...base,
        valid: true,
        message: t`${name} knows this code, but under a condition. ${requirement}.`,
        requirement,
        // The buyer of the coupon may not be one of those customers.
        confirmed: isAboutMerchant && answer.condition === 'order',
        checks: [
          asked,
          { name: 'accepted', passed: false, text: t`The code is accepted under a condition.` },
        ],
      };
    }
    case 'valid':
      return {
        ...base,
        ...worthFields(answer.worth),
        expiryDate: answer.expiryDate,
        valid: true,
        message: isAboutMerchant
          ? t`${name} confirms this code for ${merchant}.`
          : t`${name} knows this code, but not whether ${merchant} accepts it.`,
        confirmed: isAboutMerchant,
        checks: [asked, { name: 'accepted', passed: true, text: t`The code is accepted.` }],
      };
  }
}

/** The value, if a coupon's form can take it; an amount in another currency becomes a description. */
function worthFields(
  worth: Worth | null,
): Pick<Verdict, 'value' | 'discountType' | 'description' | 'requirement'> {
  const unknown = { value: null, discountType: null, description: null, requirement: null };
  if (!worth || !Number.isSafeInteger(worth.hundredths) || worth.hundredths < 1) return unknown;
  const { hundredths, discountType, atMost, currency } = worth;
  if (hundredths > (discountType === 'percentage' ? PERCENTAGE_MAX : VALUE_MAX)) return unknown;
  const off = (amount: number) => t`${formatDecimal(amount)} ${currency} off`;
  if (discountType === 'fixed' && currency !== baseCurrency()) {
    return { ...unknown, description: off(hundredths) };
  }
  const isLimited = Number.isSafeInteger(atMost) && atMost !== undefined && atMost > 0;
  const requirement = isLimited ? t`At most ${off(atMost)}` : null;
  return { value: hundredths, discountType, description: null, requirement };
}

/** For a source that was asked for by name but is not set up, or not for this merchant. */
export function notConfigured(source: ApiSource, merchant: string, isElsewhere: boolean): Verdict {
  const message = isElsewhere
    ? t`${NAMES[source]} is not configured for ${merchant}.`
    : t`${NAMES[source]} is not configured.`;
  return { ...NO_DETAILS, valid: false, message, validatedWith: source };
}

/** For a source that was asked for by name but does not know the code. */
export function unknownTo(source: ApiSource): Verdict {
  const name = NAMES[source];
  const message = t`${name} does not know this code. It may still work elsewhere.`;
  return {
    ...NO_DETAILS,
    valid: false,
    message,
    validatedWith: source,
    checks: [{ name: 'provider', passed: true, text: t`${name} was asked.` }],
  };
}

/** For a code that has no standard form. */
export function noStandardCode(): Verdict {
  const message = t`This is not a standard code, so nothing can be read from it.`;
  return { ...NO_DETAILS, valid: false, message, validatedWith: 'library' };
}

/** Marks a verdict that was made without the provider that should have been asked. */
export function withoutProvider(local: Verdict, source: ApiSource): Verdict {
  const missed = { name: 'provider', passed: false, text: t`${NAMES[source]} could not be reached.` };
  return { ...local, validatedWith: `${source}${OFFLINE_SUFFIX}`, checks: [missed, ...local.checks] };
}
