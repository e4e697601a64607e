import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Skeleton, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { z } from 'zod';
import { formatDay } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import { quote } from '#contract/base/words.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import {
  type ConsentForCouponInput,
  type Consents,
  type CouponConsent,
  consentForCouponInputSchema,
  type MarketDayNow,
} from '#contract/deals/market-days.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { daysAfter, UntilField, WorthField, worthSchema } from './consent-fields.tsx';
import { useConsents, useMarketDay } from './queries.ts';
import { hourText } from './wording.ts';

interface ConsentForCouponProps {
  readonly coupon: Pick<Coupon, 'id' | 'title'>;
  readonly consent: CouponConsent | undefined;
  readonly next: NonNullable<MarketDayNow>;
}

interface Values {
  readonly minValue: number | '';
  readonly until: string;
}

/** Agrees that a coupon goes on market day without asking. */
export function Component({ coupon }: Pick<ConsentForCouponProps, 'coupon'>) {
  const query = useMarketDay();
  const { data: consents } = useConsents();
  return (
    <Dialog title={t`Swap without asking me again`}>
      <QueryContent
        query={consents ? query : { ...query, data: undefined }}
        errorTitle={t`Error loading the market day`}
        skeleton={<Skeleton height={240} radius="md" />}
      >
        {(next) =>
          next && consents ? (
            <ConsentForm
              coupon={coupon}
              next={next}
              consent={consents.coupons.find((one) => one.coupon.id === coupon.id)}
            />
          ) : (
            <Text>
              <Trans>There is no market day for now.</Trans>
            </Text>
          )
        }
      </QueryContent>
    </Dialog>
  );
}

function ConsentForm({ coupon, consent, next }: ConsentForCouponProps) {
  const mutation = trpc.marketDays.consentForCoupon.useMutation();
  const { form, submit, isPending } = useSendForm<Values, ConsentForCouponInput, Consents>({
    schema: z
      .object({ minValue: worthSchema, until: z.string() })
      .transform((values) => ({ couponId: coupon.id, ...values }))
      .pipe(consentForCouponInputSchema),
    initial: {
      minValue: consent?.minValue ? consent.minValue / 100 : '',
      until: consent?.until ?? daysAfter(next.day, 30),
    },
    mutation,
    done: () => [t`Agreed`, t`You can take it back in Matches until half an hour before market day.`],
    failed: [t`Not saved`],
  });
  const [hour, locks] = [hourText(next.at, next.timeZone), hourText(next.locksAt, next.timeZone)];
  return (
    <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Agree`}>
      {consent && (
        <Text>
          <Trans>
            On market day it may go for something on your wish list, until {formatDay(consent.until)}.
          </Trans>
        </Text>
      )}
      <Text>
        <Trans>
          It goes for a wish of your{' '}
          <Anchor component={Link} to={paths.wants} inherit underline="always">
            wish list
          </Anchor>{' '}
          that may be fulfilled without asking you, too.
        </Trans>
      </Text>
      <WorthField {...form.getInputProps('minValue')} />
      <UntilField from={next.day} {...form.getInputProps('until')} />
      <Text>
        {t`If we find it, your ${quote(coupon.title)} becomes a coupon on your wish list on market day, at ${hour}, without asking you again. Until ${locks} you can take it back.`}
      </Text>
    </DialogForm>
  );
}
