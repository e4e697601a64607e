import { t } from '@lingui/core/macro';
import { NativeSelect, NumberInput, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { z } from 'zod';
import { listed } from '#contract/base/locale.ts';
import {
  type PutValidatorInput,
  putValidatorInputSchema,
  type TriedValidator,
  tryValidatorInputSchema,
  VALIDATOR_SOURCES,
  type ValidatorList,
} from '#contract/oversight/sources.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
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
import { VALIDATOR_NAMES } from './source-words.ts';

interface ValidatorDialogProps {
  /** The validator to change; none: a new one. */
  readonly row?: ValidatorList['validators'][number];
  readonly follows: number | null;
  /** Where a new one may send codes. */
  readonly allowed?: readonly string[];
}

const SOURCES = VALIDATOR_SOURCES.map((source) => ({ value: source, label: VALIDATOR_NAMES[source] }));

/** Assigns an account to merchants, or changes it; it can be tried before. */
export function Component({ row, follows, allowed = [] }: ValidatorDialogProps) {
  const validator = row?.validator;
  const isNew = !validator;
  const schema = z
    .object({
      validator: z
        .looseObject({ appId: emptyAsNull, currency: emptyAsNull, more: typedMore })
        .pipe(putValidatorInputSchema.shape.validator),
      key: typedKey,
    })
    .transform((typed): PutValidatorInput => ({ ...typed, isNew, follows }));
  const { form, submit, isPending } = useSendForm({
    schema,
    initial: {
      validator: {
        name: validator?.name ?? '',
        source: validator?.source ?? 'voucherify',
        baseUrl: validator?.baseUrl ?? allowed[0] ?? '',
        merchants: [...(validator?.merchants ?? [])],
        appId: validator?.appId ?? '',
        currency: validator?.currency ?? '',
        checksPerDay: validator?.checksPerDay ?? 100,
        more: moreText(validator?.more ?? {}),
        isPaused: validator?.isPaused ?? false,
      },
      key: '',
      code: '',
    },
    mutation: trpc.sources.putValidator.useMutation(),
    done: () => (isNew ? [t`Validator added`, t`We now check codes with it.`] : [t`Validator changed`]),
    failed: [t`Nothing was changed`],
  });
  const trial = trpc.sources.tryValidator.useMutation({
    onError: (error) => toasts.failed(error, t`Not tried`),
  });
  const tryIt = () => {
    if (form.validate().hasErrors) return;
    const values = form.getValues();
    const { validator: typed, key } = schema.parse(values);
    const input = tryValidatorInputSchema.safeParse({
      ...{ validator: typed, key, code: values.code },
      merchant: typed.merchants[0],
    });
    if (input.success) trial.mutate(input.data);
    else form.setFieldError('code', t`Type a code to ask about`);
  };
  const isVoucherify = form.getValues().validator.source === 'voucherify';
  return (
    <Dialog title={isNew ? t`Add a validator` : t`Change ${validator.name}`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={isNew ? t`Add validator` : t`Save`}>
        <TextInput
          label={t`Name`}
          withAsterisk
          disabled={!isNew}
          data-autofocus={isNew || undefined}
          {...form.getInputProps('validator.name')}
        />
        <TagsInput
          label={t`Merchants`}
          description={t`The merchants whose codes this account knows. Press Enter after each one.`}
          withAsterisk
          {...form.getInputProps('validator.merchants')}
        />
        <NativeSelect label={t`Provider`} data={SOURCES} {...form.getInputProps('validator.source')} />
        <TextInput
          label={t`Address`}
          description={
            allowed.length > 0 ? t`The operator allows ${listed(allowed)}` : t`It begins with https://`
          }
          type="url"
          inputMode="url"
          withAsterisk
          {...form.getInputProps('validator.baseUrl')}
        />
        {isVoucherify && (
          <TextInput label={t`Application ID`} withAsterisk {...form.getInputProps('validator.appId')} />
        )}
        <KeyField input={form.getInputProps('key')} isSet={row?.hasKey ?? false} hasOwnPlace={isVoucherify} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="sm">
          <CurrencyField input={form.getInputProps('validator.currency')} />
          <NumberInput
            label={t`Checks a day`}
            description={t`Daily checks of listed codes; 0 = off`}
            min={0}
            max={1_000_000}
            allowDecimal={false}
            {...form.getInputProps('validator.checksPerDay')}
          />
        </SimpleGrid>
        <MoreField
          description={
            isVoucherify
              ? t`As JSON, such as ${{ example: '{"timeoutMs": 4000}' }}`
              : t`JSON as described in docs/validators.md: path, method, headers, body, read, reasons, statuses`
          }
          input={form.getInputProps('validator.more')}
        />
        <TextInput
          label={t`A code to try`}
          description={t`We ask the account about it and store nothing.`}
          autoComplete="off"
          {...form.getInputProps('code')}
        />
        <Trial onTry={tryIt} isPending={trial.isPending} found={trial.data ? foundOf(trial.data) : null} />
      </DialogForm>
    </Dialog>
  );
}

function foundOf({ isValid, text }: TriedValidator) {
  if (isValid === null) return { isGood: false, title: t`The account has not answered`, content: text };
  return { isGood: true, title: t`The account answers`, content: text };
}
