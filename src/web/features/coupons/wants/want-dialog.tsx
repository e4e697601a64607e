import { Checkbox, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { SEARCH_MAX } from '#contract/bounds.ts';
import type { Filters } from '#contract/coupon-filters.ts';
import { createWantInputSchema, GIVES, type Gives, type Want } from '#contract/wants.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { toasts } from '#web/lib/toasts.ts';
import { FilterFields } from '../filter-panel.tsx';
import { useCreateWant, useGifts, useUpdateWant } from './queries.ts';
import { COUNTRY_CHOICES, GIVES_NAMES } from './wording.ts';

interface WantDialogProps {
  /** What it asks for at first. */
  readonly filters: Filters;
  /** The want to edit; none for a new one. */
  readonly want?: Want | undefined;
  readonly onClose: () => void;
}

const ANYWHERE = { value: '', label: 'Anywhere' };

/** The form of a want: what the viewer looks for, and what they would give for it. */
export function Component({ filters: asked, want, onClose }: WantDialogProps) {
  const [filters, setFilters] = useState(asked);
  const [region, setRegion] = useState(want?.region ?? '');
  const [gives, setGives] = useState<Gives>(want?.gives ?? 'nothing');
  const [giftIds, setGiftIds] = useState<readonly number[]>(want?.giftIds ?? []);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const create = useCreateWant();
  const update = useUpdateWant();
  const { search, merchant, category, minValue, maxValue, expiryDays } = filters;

  const submit = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    const read = createWantInputSchema.safeParse({
      search: search.trim() || undefined,
      merchant: merchant || undefined,
      category: category ?? undefined,
      minValue: minValue ?? undefined,
      maxValue: maxValue ?? undefined,
      expiryDays: expiryDays ?? undefined,
      region: region || undefined,
      gives,
      giftIds: gives === 'some' ? giftIds : [],
    });
    if (!read.success) {
      const found = Object.fromEntries(
        read.error.issues.map(({ path, message }) => [String(path[0]), message]),
      );
      setErrors(found);
      toasts.failure('Not kept yet', Object.values(found)[0]);
      return;
    }
    const answers = dialogAnswers({
      onClose,
      form: { setErrors },
      done: () => ['Kept', 'You are told when there is one. All that you look for is under Wants.'],
      failedTitle: 'Not kept',
    });
    if (want) update.mutate({ ...read.data, id: want.id }, answers);
    else create.mutate(read.data, answers);
  };

  return (
    <Dialog title={want ? 'Edit this want' : 'Tell me when there is one'}>
      <DialogForm
        onSubmit={submit}
        isPending={create.isPending || update.isPending}
        submitLabel={want ? 'Save' : 'Tell me'}
      >
        <TextInput
          label="Words"
          description="In the title, the merchant or the description"
          maxLength={SEARCH_MAX}
          value={search}
          error={errors.search}
          onChange={({ currentTarget }) => setFilters({ ...filters, search: currentTarget.value })}
        />
        <FilterFields
          filters={filters}
          onChange={(change) => setFilters((before) => ({ ...before, ...change }))}
        />
        <NativeSelect
          label="Counts in"
          data={[ANYWHERE, ...COUNTRY_CHOICES]}
          value={region}
          onChange={({ currentTarget }) => setRegion(currentTarget.value)}
        />
        <Radio.Group label="I would give" value={gives} onChange={(value) => setGives(value as Gives)}>
          <Stack gap="xs" mt={8}>
            {GIVES.map((value) => (
              <Radio key={value} value={value} label={GIVES_NAMES[value]} />
            ))}
          </Stack>
        </Radio.Group>
        {gives === 'some' && <Gifts value={giftIds} onChange={setGiftIds} error={errors.giftIds} />}
      </DialogForm>
    </Dialog>
  );
}

interface GiftsProps {
  readonly value: readonly number[];
  readonly onChange: (ids: readonly number[]) => void;
  readonly error: string | undefined;
}

/** The viewer's own coupons, to choose some. */
function Gifts({ value, onChange, error }: GiftsProps) {
  const { data } = useGifts(true);
  if (!data) return <Text role="status">Loading your coupons …</Text>;
  if (data.items.length === 0) return <Text c="dimmed">You have no coupons yet.</Text>;
  return (
    <Checkbox.Group
      label="Coupons that I would give"
      error={error}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
    >
      <Stack gap="xs" mt={8}>
        {data.items
          .filter(({ isActive }) => isActive)
          .map(({ id, title, merchant }) => (
            <Checkbox key={id} value={String(id)} label={`${title} · ${merchant}`} />
          ))}
      </Stack>
    </Checkbox.Group>
  );
}
