import { t } from '@lingui/core/macro';
import { Stack, Text, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { listed } from '#contract/base/locale.ts';
import { baseCurrency, formatMoney } from '#contract/base/money.ts';
import { quoted } from '#contract/base/words.ts';
import type { CouponSummary } from '#contract/coupons/coupons.ts';
import { DEAL_MESSAGE_MAX } from '#contract/deals/deals.ts';
import { counterExchangeInputSchema, type Money } from '#contract/deals/exchanges.ts';
import { Dialog, DialogFooter } from '#web/components/dialog.tsx';
import { DraftNotice } from '#web/components/draft-notice.tsx';
import { formatValue } from '#web/lib/format.ts';
import { type SendFormOptions, useSendForm } from '#web/lib/use-send-form.ts';
import { CouponChooser } from './coupon-chooser.tsx';
import {
  DepositFields,
  type DepositValues,
  depositValues,
  typedDepositSchema,
  useDepositTerms,
} from './deposit-fields.tsx';
import {
  MoneyFields,
  type MoneyValues,
  moneySummary,
  moneyValues,
  typedMoneySchema,
} from './money-fields.tsx';
import { nothingFor, nothingFromOwner } from './wording.ts';

const { requestedCouponIds, offeredCouponIds, message } = counterExchangeInputSchema.shape;
const chosenSchema = z.array(z.custom<CouponSummary>()).transform((coupons) => coupons.map(({ id }) => id));
const offerSchema = z
  .object({
    requestedCouponIds: chosenSchema.pipe(requestedCouponIds),
    offeredCouponIds: chosenSchema.pipe(offeredCouponIds),
    money: typedMoneySchema,
    deposit: typedDepositSchema,
    message,
  })
  .transform((offer) => (offer.money === null ? offer : { ...offer, deposit: null }));

/** The coupons of both sides, the money, the deposit and the message. Money is held as it is: with it there is no deposit. */
export type Offer = z.output<typeof offerSchema>;

interface OfferValues {
  requestedCouponIds: CouponSummary[];
  offeredCouponIds: CouponSummary[];
  money: MoneyValues;
  deposit: DepositValues;
  message: string;
}

interface OfferDialogProps<Result>
  extends Omit<SendFormOptions<OfferValues, Offer, Result>, 'schema' | 'initial'> {
  readonly title: string;
  /** Whose coupons are asked for. */
  readonly owner: { readonly id: number; readonly username: string };
  /** The coupons that are chosen at first. */
  readonly requested: readonly CouponSummary[];
  readonly offered?: readonly CouponSummary[];
  readonly money?: Money | null;
  readonly deposit?: string | null;
  /** Whether it is a first proposal, to which the market may suggest a deposit. */
  readonly suggestsDeposit?: boolean;
  readonly message?: string | null;
  readonly submitLabel: string;
  /** About what is asked for. */
  readonly note?: ReactNode;
}

/** Chooses the coupons of both sides of a swap and takes a message. */
export function OfferDialog<Result>(props: OfferDialogProps<Result>) {
  const { title, owner, requested, offered = [], submitLabel, note, suggestsDeposit, ...sending } = props;
  const { form, submit, isPending, draft } = useSendForm<OfferValues, Offer, Result>({
    schema: offerSchema,
    initial: {
      requestedCouponIds: [...requested],
      offeredCouponIds: [...offered],
      money: moneyValues(props.money ?? null),
      deposit: depositValues(props.deposit ?? null),
      message: props.message ?? '',
    },
    ...sending,
  });
  const { values } = form;
  const hasDeposits = useDepositTerms([owner.id], (suggested) => {
    if (suggestsDeposit && !form.isTouched('deposit'))
      form.setFieldValue('deposit', depositValues(suggested));
  });
  return (
    <Dialog title={title} size="lg" isPending={isPending}>
      <form noValidate onSubmit={submit}>
        <Stack>
          <DraftNotice {...draft} />
          <CouponChooser
            name="requestedCouponIds"
            legend={t`You ask ${owner.username} for`}
            ownerId={owner.id}
            first={requested}
            noCode={nothingFromOwner(owner.username)}
            more={t`Ask for more of ${owner.username}’s coupons`}
            input={form.getInputProps('requestedCouponIds')}
          />
          {note}
          <CouponChooser
            name="offeredCouponIds"
            legend={t`Your coupons to offer`}
            ownerId={null}
            first={offered}
            noCode={nothingFor(owner.username)}
            input={form.getInputProps('offeredCouponIds')}
          >
            <MoneyFields
              other={owner.username}
              value={values.money}
              inputOf={(field) => form.getInputProps(`money.${field}`)}
            />
            {hasDeposits && values.money.payer === 'none' && (
              <DepositFields
                value={values.deposit}
                explanation={t`Each of you puts it up by card. Who gave a code that fails loses it to the other.`}
                isAskedInput={form.getInputProps('deposit.isAsked', { type: 'checkbox' })}
                amountInput={form.getInputProps('deposit.amount')}
                error={form.errors.deposit}
              />
            )}
            <Textarea
              label={t`Message`}
              description={t`Optional. ${values.message.length} of ${DEAL_MESSAGE_MAX} characters`}
              placeholder={t`Why this exchange is good for both of you`}
              rows={3}
              resize="vertical"
              maxLength={DEAL_MESSAGE_MAX}
              {...form.getInputProps('message')}
            />
            <Text role="status" size="sm" style={{ overflowWrap: 'anywhere' }}>
              {[
                offerSummary(values.offeredCouponIds, values.requestedCouponIds),
                moneySummary(values.money, owner.username),
              ]
                .filter(Boolean)
                .join(' ')}
            </Text>
            <DialogFooter cancelLabel={t`Not now`} submitLabel={submitLabel} isSticky />
          </CouponChooser>
        </Stack>
      </form>
    </Dialog>
  );
}

/** What coupons are worth together, as it is printed: '$12.00 CAD and 20.00%'. Null if nobody has stated it. */
function worthOf(coupons: readonly CouponSummary[]): string | null {
  const stated = coupons.filter(({ value }) => value > 0);
  const fixed = stated.filter(({ discountType }) => discountType === 'fixed');
  const sum = fixed.reduce((total, { value }) => total + value, 0);
  const parts = [
    ...(fixed.length > 0 ? [formatMoney(sum, baseCurrency())] : []),
    ...stated.filter(({ discountType }) => discountType === 'percentage').map(formatValue),
  ];
  return parts.length === 0 ? null : listed(parts);
}

const SIDES = {
  gives: {
    none: t`You give nothing yet.`,
    some: (titles: string) => t`You give ${titles}.`,
    worth: (titles: string, worth: string) => t`You give ${titles} (${worth} off).`,
  },
  gets: {
    none: t`You get nothing yet.`,
    some: (titles: string) => t`You get ${titles}.`,
    worth: (titles: string, worth: string) => t`You get ${titles} (${worth} off).`,
  },
};

function sideText(side: keyof typeof SIDES, coupons: readonly CouponSummary[]): string {
  const words = SIDES[side];
  if (coupons.length === 0) return words.none;
  const titles = quoted(coupons.map(({ title }) => title));
  const worth = worthOf(coupons);
  return worth ? words.worth(titles, worth) : words.some(titles);
}

/** What the viewer gives and gets, and what each side is worth, in two sentences. */
function offerSummary(gives: readonly CouponSummary[], gets: readonly CouponSummary[]): string {
  return `${sideText('gives', gives)} ${sideText('gets', gets)}`;
}
