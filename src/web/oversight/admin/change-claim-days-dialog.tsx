import { plural, t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { z } from 'zod';
import { CLAIM_DAYS } from '#contract/money/claims.ts';
import { type ChangeSettingInput, SETTINGS, type Settings } from '#contract/people/settings.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { useChangeForm } from './change-form.ts';

/** In how many days moderators have to decide a claim. */
export function Component({ setting: { value, change } }: { setting: Settings['claimDays'] }) {
  const { form, submit, isPending } = useChangeForm({
    schema: z.object({ days: z.string().transform(Number).pipe(SETTINGS.claimDays) }).transform(
      ({ days }): ChangeSettingInput => ({
        name: 'claimDays',
        value: days,
        follows: change?.id ?? null,
      }),
    ),
    initial: { days: String(value) },
  });
  const choices = Array.from(
    { length: CLAIM_DAYS.max - CLAIM_DAYS.min + 1 },
    (_, index) => CLAIM_DAYS.min + index,
  );
  return (
    <Dialog title={t`Claims`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Change the time`}>
        <NativeSelect
          label={t`Time to decide a claim`}
          description={t`Moderators are reminded two days before. After this time, both sides are told how the claim will end, and two days later it ends so.`}
          data={choices.map((days) => ({
            value: String(days),
            label: plural(days, { one: '# day', other: '# days' }),
          }))}
          data-autofocus
          {...form.getInputProps('days')}
        />
      </DialogForm>
    </Dialog>
  );
}
