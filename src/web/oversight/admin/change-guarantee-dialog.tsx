import { plural, t } from '@lingui/core/macro';
import { NativeSelect, TextInput } from '@mantine/core';
import { z } from 'zod';
import { GUARANTEE_DAYS, guaranteeDaysOf } from '#contract/money/guarantee.ts';
import type { ChangeSettingInput, Settings } from '#contract/people/settings.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { useChangeForm, whole } from './change-form.ts';

/** For how long claims are heard after the hold, and what is kept for them. */
export function Component({ setting: { value, change } }: { setting: Settings['guarantee'] }) {
  const { form, submit, isPending } = useChangeForm({
    schema: z
      .object({ days: z.string().transform(guaranteeDaysOf), reservePercent: whole(0, 100) })
      .transform(
        (guarantee): ChangeSettingInput => ({
          name: 'guarantee',
          value: guarantee,
          follows: change?.id ?? null,
        }),
      ),
    initial: { days: String(value.days), reservePercent: String(value.reservePercent) },
  });
  const days = GUARANTEE_DAYS.map((count) => ({
    value: String(count),
    label: plural(count, { 0: 'Not at all', one: '# day', other: '# days' }),
  }));
  return (
    <Dialog title={t`Guarantee`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Change the guarantee`} isDangerous>
        <NativeSelect
          label={t`How long buyers can claim after the 72 hours`}
          description={t`This applies to payments started from now on. Earlier payments keep their guarantee.`}
          data={days}
          data-autofocus
          {...form.getInputProps('days')}
        />
        <TextInput
          label={t`Share of fees that goes to the reserve`}
          inputMode="numeric"
          rightSection="%"
          withAsterisk
          {...form.getInputProps('reservePercent')}
        />
      </DialogForm>
    </Dialog>
  );
}
