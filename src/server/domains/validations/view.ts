import { z } from 'zod';
import { isOffline, validationDetailsSchema } from '#contract/validation.ts';
import type { Verdict } from '#server/providers/validators/validators.ts';
import { localSourceOf } from './rules.ts';

const verdictSchema = validationDetailsSchema
  .omit({ merchantName: true, couponCode: true })
  .extend({ valid: z.boolean(), message: z.string(), validatedWith: z.string() });

/** A verdict as it was recorded. */
export function toVerdict(recorded: unknown): Verdict {
  return verdictSchema.parse(recorded);
}

/** Words without a number say nothing of the code's signs. */
const hasDigit = (text: string) => /\d/.test(text);

/**
 * A verdict without any piece of the code, for whoever may not know it, and for the record. What a provider says is
 * about the code; what the library and the pattern say is read off the code itself: values and days are its digits,
 * and so may be those in their words.
 */
export function withoutPieces(verdict: Verdict, merchant: string): Verdict {
  const bare = { ...verdict, description: null };
  const isReadOffCode = localSourceOf(verdict.validatedWith) !== null || isOffline(verdict.validatedWith);
  if (!isReadOffCode) return bare;
  return {
    ...bare,
    message: plainMessage(verdict, merchant),
    value: null,
    discountType: null,
    expiryDate: null,
    requirement: null,
    checks: verdict.checks.filter(({ name, text }) => !hasDigit(name) && !hasDigit(text)),
  };
}

/** Says of the code no more than the verdict itself. */
function plainMessage({ valid, validatedWith }: Verdict, merchant: string): string {
  const isStandard = validatedWith === 'library';
  if (!valid) return isStandard ? 'This is not a well-made standard code.' : 'This code does not look right.';
  const right = isStandard ? 'This is a well-made standard code' : 'This code looks right';
  return `${right}; it is not confirmed with ${merchant}.`;
}
