import { Button, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { RefObject } from 'react';
import { CODE_MAX } from '#contract/coupons.ts';
import { TEXTS } from '#contract/texts.ts';
import { toasts } from '#web/lib/toasts.ts';
import type { CouponFormValues } from '../coupon-form-values.ts';
import classes from './code-field.module.css';
import { ResultPanel } from './result-panel.tsx';
import type { CodeCheck } from './use-code-check.ts';

interface CodeFieldProps {
  readonly form: UseFormReturnType<CouponFormValues>;
  readonly check: CodeCheck;
  readonly description: string;
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
}

/** A coupon's code, the button that has it checked, and the verdict. */
export function CodeField({ form, check, description, buttonRef }: CodeFieldProps) {
  const { result, isPending } = check;
  const { merchant, code } = form.values;
  const validate = () => {
    if (merchant.trim() !== '' && code.trim() !== '') {
      check.check();
      return;
    }
    const missing = code.trim() === '' ? 'code' : 'merchant';
    form.setFieldError(missing, TEXTS.validation.bothRequired);
    form.getInputNode(missing)?.focus();
    toasts.failure(TEXTS.validation.missingInformation, TEXTS.validation.bothRequired);
  };
  return (
    <div className={classes.field}>
      <TextInput
        label="Coupon code"
        description={description}
        maxLength={CODE_MAX}
        autoComplete="off"
        autoCapitalize="off"
        classNames={{ input: classes.code }}
        spellCheck={false}
        inputContainer={(input) => (
          <div className={classes.row}>
            {input}
            <Button ref={buttonRef} variant="default" radius="md" loading={isPending} onClick={validate}>
              Validate
            </Button>
          </div>
        )}
        {...form.getInputProps('code')}
      />
      <div aria-live="polite" aria-busy={isPending}>
        {result && <ResultPanel result={result} />}
      </div>
    </div>
  );
}
