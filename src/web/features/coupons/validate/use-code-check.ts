import { TEXTS } from '#contract/texts.ts';
import type { ValidationResult } from '#contract/validation.ts';
import { useVerdict } from './use-verdict.ts';

export interface CodeCheck {
  /** The verdict on what stands in the fields now; null once they say something else. */
  readonly result: ValidationResult | null;
  readonly isPending: boolean;
  /** Has it judged; both are given. */
  readonly check: () => void;
}

/** Has a form's code judged. A verdict is about one code of one merchant: it does not outlive a change of either. */
export function useCodeCheck(fields: { readonly merchant: string; readonly code: string }): CodeCheck {
  const { verdict, ask, isPending } = useVerdict<string>(TEXTS.validation.invalidTitle);
  const merchant = fields.merchant.trim();
  const codeValue = fields.code.trim();
  const subject = JSON.stringify([merchant, codeValue]);
  return {
    result: verdict?.subject === subject ? verdict.result : null,
    isPending,
    check: () => void ask({ merchant, codeValue }, subject),
  };
}
