import { Alert } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { HOLD_HOURS } from '#contract/payments.ts';

/** What a buyer should do after paying. */
export const WHAT_NOW = `Try the code soon: for ${HOLD_HOURS} hours the seller's money is held, and a code that does not work can be refunded.`;

/** Tells the next page that something was just bought. */
export const JUST_BOUGHT = { hasJustBought: true };

/** Repeats the next steps on the page that opens after a payment. */
export function JustBoughtNote() {
  const { state } = useLocation();
  const [isAway, setIsAway] = useState(false);
  if (!state?.hasJustBought || isAway) return null;
  return (
    <Alert
      color="teal"
      role="note"
      mb="lg"
      icon={<IconShieldCheck aria-hidden="true" />}
      title="Your new coupon is here"
      withCloseButton
      closeButtonLabel="Hide"
      onClose={() => setIsAway(true)}
    >
      {WHAT_NOW}
    </Alert>
  );
}
