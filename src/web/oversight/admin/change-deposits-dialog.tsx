import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { z } from 'zod';
import { baseCurrency, formatMoney } from '#contract/base/money.ts';
import { type ChangeSettingInput, SETTINGS, type Settings } from '#contract/people/settings.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { useChangeForm } from './change-form.ts';

/** What can be chosen, in cents; 0: no deposit. */
const CHOICES = [0, 200, 500, 1_000, 1_500, 2_000];

/** What newcomers, and those who deal with them, are asked for unless whoever proposes says otherwise. */
export function Component({ setting: { value, change } }: { setting: Settings['depositFromNewcomers'] }) {
  const { form, submit, isPending } = useChangeForm({
    schema: z.object({ amount: z.string().transform(Number).pipe(SETTINGS.depositFromNewcomers) }).transform(
      ({ amount }): ChangeSettingInput => ({
        name: 'depositFromNewcomers',
        value: amount,
        follows: change?.id ?? null,
      }),
    ),
    initial: { amount: String(value) },
  });
  const choices = [...new Set([...CHOICES, value])].sort((a, b) => a - b);
  return (
    <Dialog title={t`Deposits`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Change the deposit`}>
        <NativeSelect
          label={t`Deposit for swaps with newcomers`}
          description={t`The proposal suggests it to both sides. Whoever proposes can change it or leave it out.`}
          data={choices.map((cents) => ({
            value: String(cents),
            label: cents === 0 ? t`No deposit` : formatMoney(cents, baseCurrency()),
          }))}
          data-autofocus
          {...form.getInputProps('amount')}
        />
      </DialogForm>
    </Dialog>
  );
}
