import { t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { HOLD_HOURS } from '#contract/money/payments.ts';

/** What a buyer should do after paying. */
export const WHAT_NOW = t`Try the code soon: we hold the seller’s money for ${HOLD_HOURS} hours and can refund you if the code does not work.`;

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
      title={t`Your new coupon is here`}
      withCloseButton
      closeButtonLabel={t`Hide`}
      onClose={() => setIsAway(true)}
    >
      {WHAT_NOW}
    </Alert>
  );
}
