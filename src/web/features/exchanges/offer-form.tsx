import { Stack, Text, Textarea } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useRef } from 'react';
import type { CouponSummary } from '#contract/coupons.ts';
import { DEAL_MESSAGE_MAX } from '#contract/deals.ts';
import { proposeExchangeInputSchema } from '#contract/exchanges.ts';
import { DialogFooter } from '#web/components/dialog.tsx';
import { KeptNotice } from '#web/components/kept-notice.tsx';
import { fieldErrors } from '#web/lib/errors.ts';
import { useKeptForm } from '#web/lib/kept-form.ts';
import { useCurrency } from '#web/lib/viewer.tsx';
import { CouponChooser } from './coupon-chooser.tsx';
import { offerSummary } from './offer-summary.ts';
import { nothingFor, nothingFromOwner } from './wording.ts';

/** The coupons of both sides and the message. */
export interface Offer {
  requestedCouponIds: number[];
  offeredCouponIds: number[];
  message: string | null;
}

/** The values of the form. */
interface OfferValues {
  requested: readonly CouponSummary[];
  offered: readonly CouponSummary[];
  message: string;
}

interface OfferFormProps {
  /** Keeps what is typed under this name. */
  readonly keptAs?: string;
  /** Whose coupons are asked for. */
  readonly owner: { readonly id: number; readonly username: string };
  /** The coupons that are chosen at first. */
  readonly requested: readonly CouponSummary[];
  readonly offered?: readonly CouponSummary[];
  readonly message?: string | null;
  readonly submitLabel: string;
  /** The server's refusal, to mark fields. */
  readonly error: unknown;
  readonly onSubmit: (offer: Offer) => void;
}

const NONE: readonly CouponSummary[] = [];
const idsOf = (coupons: readonly CouponSummary[]) => coupons.map(({ id }) => id);
const checkOffer = schemaResolver(proposeExchangeInputSchema, { sync: true });
const toInput = ({ requested, offered, message }: OfferValues) => ({
  requestedCouponIds: idsOf(requested),
  offeredCouponIds: idsOf(offered),
  message,
});

/** Chooses the coupons of both sides of a swap and takes a message. */
export function OfferForm(props: OfferFormProps) {
  const { owner, requested, offered = NONE, onSubmit } = props;
  const currency = useCurrency();
  const [form, kept] = useKeptForm<OfferValues>(props.keptAs ?? null, {
    initialValues: { requested, offered, message: props.message ?? '' },
    validate: (values) => checkOffer(toInput(values)),
  });
  const message = form.getInputProps('message');
  const element = useRef<HTMLFormElement>(null);
  const refused = fieldErrors(props.error);
  const { values } = form;

  return (
    <form
      ref={element}
      noValidate
      onSubmit={form.onSubmit(
        (chosen) => {
          const input = toInput(chosen);
          onSubmit({ ...input, message: proposeExchangeInputSchema.parse(input).message });
        },
        // If no coupon is chosen, focus the choice.
        (errors) => {
          const side = errors.requestedCouponIds ? 'requested' : errors.offeredCouponIds && 'offered';
          if (side) element.current?.querySelector<HTMLInputElement>(`input[name=${side}]`)?.focus();
        },
      )}
    >
      <Stack>
        <KeptNotice {...kept} />
        <CouponChooser
          name="requested"
          legend={`You ask ${owner.username} for`}
          ownerId={owner.id}
          chosen={values.requested}
          first={requested}
          onChange={(coupons) => form.setFieldValue('requested', coupons)}
          error={form.errors.requestedCouponIds ?? refused.requestedCouponIds}
          noCode={nothingFromOwner(owner.username)}
          more={`Ask for more of ${owner.username}’s coupons`}
        />
        <CouponChooser
          name="offered"
          legend="Your coupons to offer"
          ownerId={null}
          chosen={values.offered}
          first={offered}
          onChange={(coupons) => form.setFieldValue('offered', coupons)}
          error={form.errors.offeredCouponIds ?? refused.offeredCouponIds}
          noCode={nothingFor(owner.username)}
        >
          <Textarea
            label="Message"
            description={`Optional. ${values.message.length} of ${DEAL_MESSAGE_MAX} characters`}
            placeholder="Why the swap is good for both of you"
            rows={3}
            resize="vertical"
            maxLength={DEAL_MESSAGE_MAX}
            {...message}
            error={message.error ?? refused.message}
          />
          <Text role="status" size="sm" style={{ overflowWrap: 'anywhere' }}>
            {offerSummary(values.offered, values.requested, currency)}
          </Text>
          <DialogFooter cancelLabel="Not now" submitLabel={props.submitLabel} isSticky />
        </CouponChooser>
      </Stack>
    </form>
  );
}
