import { Button, Text, Title } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { moneyText } from '#contract/money.ts';
import { receiptAmounts, receiptFacts, receiptNote, utcText } from '#contract/receipt-lines.ts';
import type { Receipt } from '#contract/receipts.ts';
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
      Print
    </Button>
  );
}

/** A receipt or a fee statement of one sale. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const facts = receiptFacts(receipt, (at) => `${utcText(at)} (${formatDateTime(at)} in your time)`);
  return (
    <article className={classes.receipt}>
      <dl className={classes.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <dl className={classes.amounts}>
        {receiptAmounts(receipt).map((line) => (
          <Amount key={line.name} {...line} />
        ))}
      </dl>
      {receipt.movements.length > 0 && (
        <section aria-labelledby="movements">
          <Title order={2} size="h4" id="movements">
            Since then
          </Title>
          <dl className={classes.amounts}>
            {receipt.movements.map(({ id, at, text, amount }) => (
              <Amount key={id} name={`${text}, ${utcText(at)}`} amount={amount} />
            ))}
          </dl>
        </section>
      )}
      <Text size="sm">{receiptNote(receipt)}</Text>
    </article>
  );
}

/** A line with an amount. @param amount a signed decimal text */
export function Amount({ name, amount, isTotal }: { name: string; amount: string; isTotal?: boolean }) {
  return (
    <div className={isTotal ? classes.total : undefined}>
      <dt>{name}</dt>
      <dd>{moneyText(amount)}</dd>
    </div>
  );
}
