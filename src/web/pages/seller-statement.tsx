import { Anchor, Button, Skeleton, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { defineAddress, type Param } from '#contract/address.ts';
import { moneyText } from '#contract/money.ts';
import { PAGES, paths } from '#contract/pages.ts';
import { utcText } from '#contract/receipt-lines.ts';
import { monthSchema, type SellerStatement, type SellerStatementRows } from '#contract/receipts.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { useSellerStatement, useSellerStatementRows } from '#web/features/receipts/queries.ts';
import { Amount, PrintButton } from '#web/features/receipts/receipt-sheet.tsx';
import classes from '#web/features/receipts/receipts.module.css';
import { SellerDebts } from '#web/features/sellers/seller-debts.tsx';
import { useAddress } from '#web/lib/address.ts';

const thisMonth = () => new Date().toISOString().slice(0, 7);
/** '' is this month. */
const month: Param<string> = { usual: '', read: (text) => monthSchema.safeParse(text).data, write: String };
const ADDRESS = defineAddress({ month });

/** What a seller earned, was paid and is owed in one month, from the ledger. */
export function Component() {
  const [address, go] = useAddress(ADDRESS);
  const shown = address.month || thisMonth();
  const statement = useSellerStatement(shown);
  const rows = useSellerStatementRows(shown);
  return (
    <PageShell
      title={PAGES.sellerStatement.title}
      text={`Your sales in ${shown}, in UTC`}
      action={<PrintButton />}
      size="md"
    >
      <div className={classes.tools}>
        <TextInput
          type="month"
          label="Month"
          value={shown}
          max={thisMonth()}
          onChange={({ currentTarget }) => {
            const chosen = monthSchema.safeParse(currentTarget.value).data;
            if (chosen) go({ month: chosen === thisMonth() ? '' : chosen });
          }}
        />
        <Button
          component="a"
          href={`/api/seller-statement.csv?month=${shown}`}
          download
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden="true" />}
        >
          Export CSV
        </Button>
      </div>
      <SellerDebts />
      <QueryContent
        query={statement}
        errorTitle="Error loading the statement"
        skeleton={<Skeleton height={320} radius="md" />}
      >
        {(sums) => (
          <article className={classes.receipt}>
            <Sums sums={sums} />
            <QueryContent
              query={rows}
              errorTitle="Error loading the lines"
              skeleton={<Skeleton height={160} radius="md" />}
            >
              {(lines) => <Lines lines={lines} />}
            </QueryContent>
          </article>
        )}
      </QueryContent>
    </PageShell>
  );
}

function Sums({ sums }: { sums: SellerStatement }) {
  return (
    <dl className={classes.amounts}>
      <Amount name="Opening balance" amount={sums.opening} isTotal />
      <Amount name="Sales" amount={sums.sales} />
      <Amount name="ClipSwap’s fees" amount={sums.fees} />
      <Amount name="The payment provider’s fees" amount={sums.providerFees} />
      <Amount name="Refunds" amount={sums.refunds} />
      <Amount name="Payouts" amount={sums.payouts} />
      {Number(sums.debts) !== 0 && <Amount name="Debts settled" amount={sums.debts} />}
      <Amount name="Closing balance" amount={sums.closing} isTotal />
    </dl>
  );
}

function Lines({ lines }: { lines: SellerStatementRows }) {
  if (lines.items.length === 0) {
    return (
      <EmptyState
        title="Nothing in this month"
        text="Your sales and payouts appear here once a buyer has paid."
        action={
          <Button component={Link} to={paths.myCoupons} variant="default">
            See your coupons
          </Button>
        }
      />
    );
  }
  return (
    <>
      <dl className={classes.amounts} aria-label="Lines">
        {lines.items.map(({ id, createdAt, text, couponTitle, paymentId, number, fee, amount }) => (
          <div key={id}>
            <dt>
              {utcText(createdAt)}: {text}, “{couponTitle}”,{' '}
              <Anchor component={Link} to={paths.saleReceipt(paymentId)} inherit underline="always">
                {number}
              </Anchor>
            </dt>
            <dd>
              {moneyText(amount)}
              {fee !== null && ` after the fee of ${moneyText(fee)}`}
            </dd>
          </div>
        ))}
      </dl>
      {lines.nextCursor !== null && <Text>The CSV file has every line.</Text>}
    </>
  );
}
