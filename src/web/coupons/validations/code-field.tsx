import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode, RefObject } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import { CODE_MAX } from '#contract/coupons/limits.ts';
import type { ValidationResult } from '#contract/coupons/validation.ts';
import type { CouponFormValues } from '#web/coupons/form/coupon-form-values.ts';
import { EXACT_FIELD } from '#web/lib/keyboards.ts';
import { toasts } from '#web/lib/toasts.ts';
import classes from './code-fields.module.css';
import { ResultPanel } from './result-panel.tsx';
import { useVerdict } from './use-verdict.ts';

interface CodeCheck {
  /** The verdict on the current merchant and code; null after either changes. */
  readonly result: ValidationResult | null;
  readonly isPending: boolean;
  /** Validates the code; needs both merchant and code. */
  readonly check: () => void;
}

/** Validates the code of a form. A verdict holds only for the merchant and code that it was given for. */
export function useCodeCheck(fields: { readonly merchant: string; readonly code: string }): CodeCheck {
  const { verdict, ask, isPending } = useVerdict<string>(TEXTS.validation.invalidTitle());
  const merchant = fields.merchant.trim();
  const codeValue = fields.code.trim();
  const subject = JSON.stringify([merchant, codeValue]);
  return {
    result: verdict?.subject === subject ? verdict.result : null,
    isPending,
    check: () => void ask({ merchant, codeValue }, subject),
  };
}

interface CodeFieldProps {
  readonly form: UseFormReturnType<CouponFormValues>;
  readonly check: CodeCheck;
  readonly description: ReactNode;
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
}

/** The code of a coupon, a button that validates it, and the verdict. */
export function CodeField({ form, check, description, buttonRef }: CodeFieldProps) {
  const { result, isPending } = check;
  const { merchant, code } = form.values;
  const validate = () => {
    if (merchant.trim() !== '' && code.trim() !== '') {
      check.check();
      return;
    }
    const missing = code.trim() === '' ? 'code' : 'merchant';
    form.setFieldError(missing, TEXTS.validation.bothRequired());
    form.getInputNode(missing)?.focus();
    toasts.failure(TEXTS.validation.missingInformation(), TEXTS.validation.bothRequired());
  };
  return (
    <div className={classes.codeField}>
      <TextInput
        label={t`Coupon code`}
        description={description}
        maxLength={CODE_MAX}
        classNames={{ input: classes.codeInput }}
        {...EXACT_FIELD}
        inputContainer={(input) => (
          <Group gap={8} wrap="nowrap" align="flex-end" className={classes.row}>
            {input}
            <Button ref={buttonRef} variant="default" radius="md" loading={isPending} onClick={validate}>
              <Trans>Validate</Trans>
            </Button>
          </Group>
        )}
        {...form.getInputProps('code')}
      />
      <div aria-live="polite" aria-busy={isPending}>
        {result && <ResultPanel result={result} />}
      </div>
    </div>
  );
}
