import { t } from '@lingui/core/macro';
import { NativeSelect, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core';
import { z } from 'zod';
import { formatDay } from '#contract/base/locale.ts';
import {
  FEED_FORMATS,
  FEED_NETWORKS,
  type Feeds,
  type PutFeedInput,
  putFeedInputSchema,
  type TriedFeed,
} from '#contract/oversight/sources.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import {
  CurrencyField,
  emptyAsNull,
  KeyField,
  MoreField,
  moreText,
  Trial,
  typedKey,
  typedMore,
} from './source-fields.tsx';
import { NETWORK_NAMES } from './source-words.ts';

interface FeedDialogProps {
  /** The feed to change; none: a new one. */
  readonly row?: Feeds['feeds'][number];
  readonly follows: number | null;
}

const FORMATS = FEED_FORMATS.map((format) => ({ value: format, label: format.toUpperCase() }));

/** Adds a feed, or changes one; it can be tried before. */
export function Component({ row, follows }: FeedDialogProps) {
  const feed = row?.feed;
  const isNew = !feed;
  const schema = z
    .object({
      feed: z
        .looseObject({ network: emptyAsNull, merchant: emptyAsNull, currency: emptyAsNull, more: typedMore })
        .pipe(putFeedInputSchema.shape.feed),
      key: typedKey,
    })
    .transform((typed): PutFeedInput => ({ ...typed, isNew, follows }));
  const { form, submit, isPending } = useSendForm({
    schema,
    initial: {
      feed: {
        name: feed?.name ?? '',
        url: feed?.url ?? '',
        format: feed?.format ?? 'json',
        network: feed?.network ?? '',
        merchant: feed?.merchant ?? '',
        currency: feed?.currency ?? '',
        everyHours: feed?.everyHours ?? 6,
        more: moreText(feed?.more ?? {}),
        isPaused: feed?.isPaused ?? false,
      },
      key: '',
    },
    mutation: trpc.sources.putFeed.useMutation(),
    done: (_result, { feed: { name } }) =>
      isNew ? [t`Feed added`, t`We read ${name} within a minute.`] : [t`Feed changed`],
    failed: [t`Nothing was changed`],
  });
  const trial = trpc.sources.tryFeed.useMutation({ onError: (error) => toasts.failed(error, t`Not tried`) });
  const tryIt = () => {
    if (form.validate().hasErrors) return;
    const { feed: typed, key } = schema.parse(form.getValues());
    trial.mutate({ feed: typed, key });
  };
  return (
    <Dialog title={isNew ? t`Add a feed` : t`Change ${feed.name}`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={isNew ? t`Add feed` : t`Save`}>
        <TextInput
          label={t`Name`}
          withAsterisk
          disabled={!isNew}
          data-autofocus={isNew || undefined}
          {...form.getInputProps('feed.name')}
        />
        <TextInput
          label={t`Address`}
          description={t`It begins with https://`}
          type="url"
          inputMode="url"
          withAsterisk
          {...form.getInputProps('feed.url')}
        />
        <KeyField input={form.getInputProps('key')} isSet={row?.hasKey ?? false} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="sm">
          <NativeSelect label={t`Format`} data={FORMATS} {...form.getInputProps('feed.format')} />
          <NativeSelect
            label={t`Network`}
            data={[
              { value: '', label: t`None of these` },
              ...FEED_NETWORKS.map((network) => ({ value: network, label: NETWORK_NAMES[network] })),
            ]}
            {...form.getInputProps('feed.network')}
          />
          <NumberInput
            label={t`Hours between readings`}
            description={t`From 1 to 168`}
            min={1}
            max={168}
            allowDecimal={false}
            {...form.getInputProps('feed.everyHours')}
          />
          <CurrencyField input={form.getInputProps('feed.currency')} />
        </SimpleGrid>
        <TextInput
          label={t`Merchant`}
          description={t`Only if the feed belongs to one merchant`}
          {...form.getInputProps('feed.merchant')}
        />
        <MoreField
          description={t`As JSON, such as ${{ example: '{"method": "POST"}' }}: method, headers, body, fields, list, charset, isDayFirst, pageParameter`}
          input={form.getInputProps('feed.more')}
        />
        <Trial onTry={tryIt} isPending={trial.isPending} found={trial.data ? foundOf(trial.data) : null} />
      </DialogForm>
    </Dialog>
  );
}

function foundOf({ offers, problem }: TriedFeed) {
  if (problem !== null) return { isGood: false, title: t`This does not work yet`, content: problem };
  return {
    isGood: true,
    title: t`It works. Its first coupons:`,
    content: (
      <PlainList aria-label={t`Coupons`}>
        {offers.map(({ merchant, code, title, expiryDate }) => (
          <li key={`${merchant} ${code}`}>
            <Text size="sm">
              {expiryDate === null
                ? t`${merchant}: ${title} (${code})`
                : t`${merchant}: ${title} (${code}), until ${formatDay(expiryDate)}`}
            </Text>
          </li>
        ))}
      </PlainList>
    ),
  };
}
