import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text, Title } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { moneyText } from '#contract/base/money.ts';
import { receiptAmounts, receiptFacts, receiptNote, utcText } from '#contract/money/receipt-lines.ts';
import type { Receipt } from '#contract/money/receipts.ts';
import { Facts } from '#web/components/facts.tsx';
import { Surface } from '#web/components/surface.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import classes from './receipts.module.css';

/** Prints the page: the frame around it is not printed. */
export function PrintButton() {
  return (
    <Button
      className={classes.print}
      leftSection={<IconPrinter size={18} aria-hidden="true" />}
      onClick={() => window.print()}
    >
      <Trans>Print</Trans>
    </Button>
  );
}

/** A receipt or a fee statement of one sale. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const facts = receiptFacts(receipt, (at) => t`${utcText(at)} (${formatDateTime(at)} in your time)`);
  return (
    <Surface component="article" className={classes.receipt}>
      <Facts layout="lines" mb={24} facts={facts} />
      <Amounts lines={receiptAmounts(receipt)} />
      {receipt.movements.length > 0 && (
        <section aria-labelledby="movements">
          <Title order={2} size="h4" id="movements">
            <Trans>Since then</Trans>
          </Title>
          <Amounts
            lines={receipt.movements.map(({ id, at, text, amount }) => ({
              id,
              name: `${text}, ${utcText(at)}`,
              amount,
            }))}
          />
        </section>
      )}
      <Text size="sm">{receiptNote(receipt)}</Text>
    </Surface>
  );
}

interface Line {
  readonly id?: number;
  readonly name: string;
  /** A signed decimal text. */
  readonly amount: string;
  readonly isTotal?: boolean;
}

/** Lines with their amounts. */
export function Amounts({ lines }: { lines: readonly Line[] }) {
  const facts = lines.map(({ amount, ...line }) => ({ ...line, value: moneyText(amount) }));
  return <Facts layout="lines" className={classes.amounts} facts={facts} />;
}
