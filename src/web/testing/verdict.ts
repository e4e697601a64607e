import type { ValidationDetails, ValidationResult } from '#contract/validation.ts';

type Given = Partial<Omit<ValidationResult, 'details'>> & { details?: Partial<ValidationDetails> };

/** A verdict on a code that looks right; `given` says what matters to the test. */
export function aVerdict({ details, ...given }: Given = {}): ValidationResult {
  return {
    valid: true,
    message: 'Format looks right; not confirmed with Knit Nook.',
    validatedWith: 'pattern',
    ...given,
    details: {
      merchantName: 'Knit Nook',
      couponCode: 'WOOL-2026',
      value: null,
      discountType: null,
      expiryDate: null,
      description: null,
      requirement: null,
      confirmed: false,
      confidence: 'format-only',
      checks: [{ name: 'form', passed: true, text: 'It looks like a code.' }],
      ...details,
    },
  };
}

/** An answer that bears what a provider far away would say. */
export function answerOf(data: unknown): Response {
  return Response.json({ result: { data } });
}
