import { Stack, Textarea } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useRef } from 'react';
import type { CouponSummary } from '#contract/coupons.ts';
import { DEAL_MESSAGE_MAX } from '#contract/deals.ts';
import { proposeExchangeInputSchema } from '#contract/exchanges.ts';
import { DialogFooter } from '#web/components/dialog.tsx';
import { KeptNotice } from '#web/components/kept-notice.tsx';
import { fieldErrors } from '#web/lib/errors.ts';
import { useKeptForm } from '#web/lib/kept-form.ts';
import { CouponChooser } from './coupon-chooser.tsx';
import classes from './offer.module.css';

/** The offered coupon and the message. */
export interface Offer {
  offeredCouponId: number;
  message: string | null;
}

/** The values of the form. */
type OfferValues = { requestedCouponId: number; offeredCouponId: number | null; message: string };

interface OfferFormProps {
  /** Keeps what is typed under this name. */
  readonly keptAs?: string;
  readonly requestedCouponId: number;
  /** The username of whoever gets the offered coupon. */
  readonly receiver: string;
  /** The offer before the change. */
  readonly current?: { coupon: CouponSummary; message: string | null };
  readonly submitLabel: string;
  /** The server's refusal, to mark fields. */
  readonly error: unknown;
  readonly onSubmit: (offer: Offer) => void;
}

/** Chooses a coupon to offer and takes a message. */
export function OfferForm(props: OfferFormProps) {
  const { requestedCouponId, current, onSubmit } = props;
  const [form, kept] = useKeptForm<OfferValues>(props.keptAs ?? null, {
    initialValues: {
      requestedCouponId,
      offeredCouponId: current?.coupon.id ?? null,
      message: current?.message ?? '',
    },
    validate: schemaResolver(proposeExchangeInputSchema, { sync: true }),
  });
  const message = form.getInputProps('message');
  const element = useRef<HTMLFormElement>(null);
  const refused = fieldErrors(props.error);

  return (
    <form
      ref={element}
      noValidate
      onSubmit={form.onSubmit(
        (values) => {
          const { offeredCouponId, message: text } = proposeExchangeInputSchema.parse(values);
          if (offeredCouponId !== undefined) onSubmit({ offeredCouponId, message: text });
        },
        // If no coupon is chosen, focus the choice.
        (errors) =>
          errors.offeredCouponId &&
          element.current?.querySelector<HTMLInputElement>('input[type=radio]')?.focus(),
      )}
    >
      <Stack>
        <KeptNotice {...kept} />
        <CouponChooser
          value={form.values.offeredCouponId}
          onChange={(id) => form.setFieldValue('offeredCouponId', id)}
          error={form.errors.offeredCouponId ?? refused.offeredCouponId}
          current={current?.coupon}
          receiver={props.receiver}
        >
          <Textarea
            label="Message"
            description={`Optional. ${form.values.message.length} of ${DEAL_MESSAGE_MAX} characters`}
            placeholder="Why the swap is good for both of you"
            rows={3}
            resize="vertical"
            maxLength={DEAL_MESSAGE_MAX}
            {...message}
            error={message.error ?? refused.message}
          />
          <DialogFooter cancelLabel="Not now" submitLabel={props.submitLabel} className={classes.footer} />
        </CouponChooser>
      </Stack>
    </form>
  );
}
