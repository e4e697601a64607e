import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { SEARCH_MAX } from '#contract/base/bounds.ts';
import { SHELL_TEXTS } from '#contract/base/shell-texts.ts';
import { type FilterValues, given } from '#contract/coupons/coupon-filters.ts';
import {
  createWantInputSchema,
  GIVES,
  type Gives,
  type Want,
  type WantFields,
} from '#contract/coupons/wants.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { FilterFields } from '#web/coupons/search/filters.tsx';
import { COUNTRY_CHOICES } from '#web/lib/country-choices.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { GIVES_NAMES } from './wording.ts';

interface WantDialogProps {
  /** What it asks for at first. */
  readonly filters: FilterValues;
  /** The want to edit; none for a new one. */
  readonly want?: Want | undefined;
}

interface WantValues extends FilterValues {
  readonly region: string;
  readonly gives: Gives;
  readonly giftIds: readonly number[];
}

const formSchema = z.preprocess(
  (values: WantValues) => given({ ...values, giftIds: values.gives === 'some' ? values.giftIds : [] }),
  createWantInputSchema,
);

const ANYWHERE = { value: '', label: t`Anywhere` };

/** The form of a want: what the viewer looks for, and what they would give for it. */
export function Component({ filters, want }: WantDialogProps) {
  const create = trpc.wants.create.useMutation();
  const update = trpc.wants.update.useMutation();
  const { form, submit, isPending } = useSendForm<WantValues, WantFields, Want>({
    schema: formSchema,
    initial: {
      ...filters,
      region: want?.region ?? '',
      gives: want?.gives ?? 'nothing',
      giftIds: want?.giftIds ?? [],
    },
    mutation: {
      mutateAsync: (fields) =>
        want ? update.mutateAsync({ ...fields, id: want.id }) : create.mutateAsync(fields),
      isPending: create.isPending || update.isPending,
    },
    done: () => [
      t`Wish saved`,
      t`We will alert you to matching coupons. See all your wishes in your wish list.`,
    ],
    failed: [t`Wish not saved`],
  });

  return (
    <Dialog title={want ? t`Edit wish` : t`Alert me`}>
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={want ? t`Save` : t`Alert me`}>
        <TextInput
          label={t`Words`}
          description={t`In the title, merchant or description`}
          maxLength={SEARCH_MAX}
          {...form.getInputProps('search')}
        />
        <FilterFields filters={form.values} onChange={form.setValues} />
        <NativeSelect
          label={t`Valid in`}
          data={[ANYWHERE, ...COUNTRY_CHOICES]}
          {...form.getInputProps('region')}
        />
        <Radio.Group label={t`I would give`} {...form.getInputProps('gives')}>
          <Stack gap="xs" mt={8}>
            {GIVES.map((value) => (
              <Radio key={value} value={value} label={GIVES_NAMES[value]} />
            ))}
          </Stack>
        </Radio.Group>
        {form.values.gives === 'some' && (
          <Gifts
            value={form.values.giftIds}
            onChange={(ids) => form.setFieldValue('giftIds', ids)}
            error={form.errors.giftIds}
          />
        )}
      </DialogForm>
    </Dialog>
  );
}

/** How many of the viewer's coupons a want can choose from. */
const CHOICES = 100;

interface GiftsProps {
  readonly value: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
  readonly error: ReactNode;
}

/** The viewer's own coupons, to choose some. */
function Gifts({ value, onChange, error }: GiftsProps) {
  const query = trpc.coupons.mine.useQuery({ limit: CHOICES });
  return (
    <QueryContent
      query={query}
      errorTitle={SHELL_TEXTS.coupons.loadFailed()}
      skeleton={
        <Text role="status">
          <Trans>Loading your coupons…</Trans>
        </Text>
      }
    >
      {({ items }) =>
        items.length === 0 ? (
          <Text c="dimmed">
            <Trans>You have no coupons yet.</Trans>
          </Text>
        ) : (
          <Checkbox.Group
            label={t`Coupons that I would give`}
            error={error}
            value={value.map(String)}
            onChange={(ids) => onChange(ids.map(Number))}
          >
            <Stack gap="xs" mt={8}>
              {items
                .filter(({ isActive }) => isActive)
                .map(({ id, title, merchant }) => (
                  <Checkbox key={id} value={String(id)} label={`${title} · ${merchant}`} />
                ))}
            </Stack>
          </Checkbox.Group>
        )
      }
    </QueryContent>
  );
}
