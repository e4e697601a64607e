import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { z } from 'zod';
import { RING_PEOPLE } from '#contract/deals/deals.ts';
import { type ChangeSettingInput, SETTINGS, type Settings } from '#contract/people/settings.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { useChangeForm } from './change-form.ts';

/** The largest ring that is looked for. */
export function Component({ setting: { value, change } }: { setting: Settings['ringPeopleMax'] }) {
  const { form, submit, isPending } = useChangeForm({
    schema: z.object({ people: z.string().transform(Number).pipe(SETTINGS.ringPeopleMax) }).transform(
      ({ people }): ChangeSettingInput => ({
        name: 'ringPeopleMax',
        value: people,
        follows: change?.id ?? null,
      }),
    ),
    initial: { people: String(value) },
  });
  const sizes = Array.from({ length: RING_PEOPLE.max - 1 }, (_, index) => String(index + 2));
  return (
    <Dialog title={t`Rings`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Change the rings`}>
        <NativeSelect
          label={t`Most people in a ring`}
          description={t`2 = swaps only. Larger rings move more coupons but fail more often. Rings that we have already found stay.`}
          data={sizes}
          data-autofocus
          {...form.getInputProps('people')}
        />
      </DialogForm>
    </Dialog>
  );
}
