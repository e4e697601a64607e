import { plural, t } from '@lingui/core/macro';
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { z } from 'zod';
import { RING_PEOPLE } from '#contract/deals/deals.ts';
import { GUARANTEE_DAYS, guaranteeDaysOf } from '#contract/money/guarantee.ts';
import {
  type ChangeSettingInput,
  type OwnLimits,
  SETTINGS,
  type Settings,
} from '#contract/people/settings.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { type SendFormOptions, useSendForm } from '#web/lib/use-send-form.ts';

/** A form that changes a setting by its own schema. */
function useChangeForm<Values extends object>(
  given: Pick<SendFormOptions<Values, ChangeSettingInput, unknown>, 'schema' | 'initial'>,
) {
  return useSendForm({
    ...given,
    mutation: trpc.settings.change.useMutation(),
    done: () => [t`Setting changed`],
    failed: [t`Nothing was changed`],
  });
}

const whole = (min: number, max: number) => {
  const text = t`Enter a whole number from ${min} to ${max}`;
  return z
    .string()
    .trim()
    .regex(/^\d{1,5}$/, text)
    .transform(Number)
    .pipe(z.int(text).min(min, text).max(max, text));
};

/** For how long claims are heard after the hold, and what is kept for them. */
export function ChangeGuarantee({ setting: { value, change } }: { setting: Settings['guarantee'] }) {
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

/** The largest ring that is looked for. */
export function ChangeRings({ setting: { value, change } }: { setting: Settings['ringPeopleMax'] }) {
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

const LIMIT_LABELS: Readonly<Record<keyof OwnLimits, string>> = {
  bids: t`Bids per person per hour`,
  proposals: t`Proposals per person per hour`,
  listings: t`Listings per person per day`,
  listingsOfNewAccount: t`Listings per day in an account’s first week`,
  keyReads: t`Reads per key per minute`,
  keyWrites: t`Changes per key per minute`,
};

const LIMIT_NAMES = SETTINGS.limits.keyof().options;

const limitsSchema = z.object({
  bids: whole(5, 1_000),
  proposals: whole(5, 1_000),
  listings: whole(5, 10_000),
  listingsOfNewAccount: whole(5, 10_000),
  keyReads: whole(5, 10_000),
  keyWrites: whole(5, 10_000),
});

/** How often people and programs may do something. */
export function ChangeLimits({ setting: { value, change } }: { setting: Settings['limits'] }) {
  const { form, submit, isPending } = useChangeForm({
    schema: limitsSchema.transform(
      (limits): ChangeSettingInput => ({ name: 'limits', value: limits, follows: change?.id ?? null }),
    ),
    initial: Object.fromEntries(LIMIT_NAMES.map((name) => [name, String(value[name])])),
  });
  return (
    <Dialog title={t`Limits`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Change the limits`}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="sm">
          {LIMIT_NAMES.map((name) => (
            <TextInput
              key={name}
              label={LIMIT_LABELS[name]}
              mt="auto"
              inputMode="numeric"
              withAsterisk
              {...form.getInputProps(name)}
            />
          ))}
        </SimpleGrid>
      </DialogForm>
    </Dialog>
  );
}
