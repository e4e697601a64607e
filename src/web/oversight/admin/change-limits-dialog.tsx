import { t } from '@lingui/core/macro';
import { SimpleGrid, TextInput } from '@mantine/core';
import { z } from 'zod';
import {
  type ChangeSettingInput,
  type OwnLimits,
  SETTINGS,
  type Settings,
} from '#contract/people/settings.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { useChangeForm, whole } from './change-form.ts';

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
export function Component({ setting: { value, change } }: { setting: Settings['limits'] }) {
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
