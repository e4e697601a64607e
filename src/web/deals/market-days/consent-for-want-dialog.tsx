import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { z } from 'zod';
import { quote, quoted } from '#contract/base/words.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import type { Want } from '#contract/coupons/wants.ts';
import {
  type ConsentForWantInput,
  type Consents,
  consentForWantInputSchema,
  DEFAULT_MIN_HEALTH,
  type MarketDayNow,
  TIMES_MAX,
  type WantConsent,
} from '#contract/deals/market-days.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { titleOf } from '#web/coupons/wants/wording.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { daysAfter, UntilField, WorthField, worthSchema } from './consent-fields.tsx';
import { useConsents } from './queries.ts';
import { hourText } from './wording.ts';

interface ConsentForWantProps {
  readonly want: Want;
  readonly consent: WantConsent | undefined;
  readonly next: NonNullable<MarketDayNow>;
}

/** How many of the viewer's coupons are offered to choose from. */
const CHOICES = 100;

/** Agrees that a wish is fulfilled on market day without asking. */
export function Component(props: ConsentForWantProps) {
  const query = trpc.coupons.mine.useQuery({ limit: CHOICES });
  const { data: consents } = useConsents();
  return (
    <Dialog title={t`Swap without asking me again`}>
      <QueryContent
        query={query}
        errorTitle={t`Error loading your coupons`}
        skeleton={<Skeleton height={320} radius="md" />}
      >
        {({ items }) => (
          <ConsentForm {...props} coupons={givable(items, props.want)} agreed={consents?.coupons ?? []} />
        )}
      </QueryContent>
    </Dialog>
  );
}

/** The viewer's coupons that the wish gives and that can change hands. */
function givable(coupons: readonly Coupon[], { gives, giftIds }: Want): Coupon[] {
  return coupons.filter(
    ({ id, isActive, isReserved, transferable }) =>
      isActive && !isReserved && transferable !== 'no' && (gives === 'any' || giftIds.includes(id)),
  );
}

interface Values {
  readonly couponIds: readonly string[];
  readonly minValue: number | '';
  readonly minHealth: string;
  readonly times: string;
  readonly until: string;
}

const formSchema = (wantId: number) =>
  z
    .object({
      couponIds: z.array(z.string().transform(Number)),
      minValue: worthSchema,
      minHealth: z.string().transform(Number),
      times: z.string().transform(Number),
      until: z.string(),
    })
    .transform((values) => ({ wantId, ...values }))
    .pipe(consentForWantInputSchema);

function ConsentForm({
  want,
  consent,
  next,
  coupons,
  agreed,
}: ConsentForWantProps & { readonly coupons: readonly Coupon[]; readonly agreed: Consents['coupons'] }) {
  const mutation = trpc.marketDays.consentForWant.useMutation();
  const isAgreed = (id: number) => agreed.some(({ coupon }) => coupon.id === id);
  const { form, submit, isPending } = useSendForm<Values, ConsentForWantInput, Consents>({
    schema: formSchema(want.id),
    initial: {
      couponIds: coupons
        .filter(({ id }) => want.gives === 'some' || isAgreed(id))
        .map(({ id }) => String(id)),
      minValue: hundredths(consent?.minValue ?? want.minValue),
      minHealth: String(consent?.minHealth ?? DEFAULT_MIN_HEALTH),
      times: String(consent?.times ?? 1),
      until: consent?.until ?? daysAfter(next.day, 30),
    },
    mutation,
    done: () => [t`Agreed`, t`You can take it back in your wish list until half an hour before market day.`],
    failed: [t`Not saved`],
  });
  const chosen = coupons.filter(({ id }) => form.values.couponIds.includes(String(id)));
  const [hour, locks] = [hourText(next.at, next.timeZone), hourText(next.locksAt, next.timeZone)];
  return (
    <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Agree`}>
      <Text>
        <Trans>
          For your wish {quote(titleOf(want))}. Once a day, market day finds the swaps by which most people
          get what they look for, and makes them.
        </Trans>
      </Text>
      {coupons.length === 0 ? (
        <Text c="dimmed">
          <Trans>You have no coupon that this wish would give. Add one, or change the wish.</Trans>
        </Text>
      ) : (
        <Checkbox.Group label={t`Coupons that may go`} {...form.getInputProps('couponIds')}>
          <Stack gap="xs" mt={8}>
            {coupons.map(({ id, title, merchant }) => (
              <Checkbox key={id} value={String(id)} label={`${title} · ${merchant}`} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <WorthField {...form.getInputProps('minValue')} />
      <NativeSelect
        label={t`How sure the code has to be`}
        description={t`Where the merchant can confirm codes, it always has to be confirmed on the day.`}
        data={healthChoices(form.values.minHealth)}
        {...form.getInputProps('minHealth')}
      />
      <NativeSelect
        label={t`How many such coupons on one day`}
        data={Array.from({ length: TIMES_MAX }, (_, index) => String(index + 1))}
        {...form.getInputProps('times')}
      />
      <UntilField from={next.day} {...form.getInputProps('until')} />
      <Text>
        {chosen.length === 0 && agreed.length === 0
          ? t`Choose at least one coupon. Without one, nothing is swapped.`
          : chosen.length === 0
            ? t`If we find it, a coupon that you agreed to give becomes one of these on market day, at ${hour}, without asking you again. Until ${locks} you can take it back.`
            : t`If we find it, ${quoted(chosen.map(({ title }) => title))} becomes one of these on market day, at ${hour}, without asking you again. Until ${locks} you can take it back.`}
      </Text>
    </DialogForm>
  );
}

const hundredths = (value: number | null): number | '' => (value ? value / 100 : '');

function healthChoices(current: string) {
  const choices = [
    { value: '0', label: t`Any code` },
    { value: '60', label: t`60 of 100 or more` },
    { value: '80', label: t`80 of 100 or more` },
  ];
  return choices.some(({ value }) => value === current)
    ? choices
    : [...choices, { value: current, label: t`${current} of 100 or more` }];
}
