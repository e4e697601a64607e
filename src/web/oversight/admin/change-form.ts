import { t } from '@lingui/core/macro';
import { z } from 'zod';
import type { ChangeSettingInput } from '#contract/people/settings.ts';
import { trpc } from '#web/lib/trpc.ts';
import { type SendFormOptions, useSendForm } from '#web/lib/use-send-form.ts';

/** A form that changes a setting by its own schema. */
export function useChangeForm<Values extends object>(
  given: Pick<SendFormOptions<Values, ChangeSettingInput, unknown>, 'schema' | 'initial'>,
) {
  return useSendForm({
    ...given,
    mutation: trpc.settings.change.useMutation(),
    done: () => [t`Setting changed`],
    failed: [t`Nothing was changed`],
  });
}

/** A whole number as people type it. */
export const whole = (min: number, max: number) => {
  const text = t`Enter a whole number from ${min} to ${max}`;
  return z
    .string()
    .trim()
    .regex(/^\d{1,5}$/, text)
    .transform(Number)
    .pipe(z.int(text).min(min, text).max(max, text));
};
