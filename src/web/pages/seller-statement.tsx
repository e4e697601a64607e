import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Skeleton, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { defineAddress, type Param } from '#contract/base/address.ts';
import { locale } from '#contract/base/i18n.ts';
import { marketName } from '#contract/base/market.ts';
import { moneyText } from '#contract/base/money.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { utcText } from '#contract/money/receipt-lines.ts';
import { monthSchema, type SellerStatement, type SellerStatementRows } from '#contract/money/receipts.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Facts } from '#web/components/facts.tsx';
import { PageShell } from '#web/components/page-shell.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { Surface } from '#web/components/surface.tsx';
import { useAddress } from '#web/lib/address.ts';
import { useSellerStatement, useSellerStatementRows } from '#web/money/receipts/queries.ts';
import { Amounts, PrintButton } from '#web/money/receipts/receipt-sheet.tsx';
import classes from '#web/money/receipts/receipts.module.css';
import { SellerDebts } from '#web/people/sellers/seller-debts.tsx';

const thisMonth = () => new Date().toISOString().slice(0, 7);
/** '' is this month. */
const month: Param<string> = { usual: '', read: (text) => monthSchema.safeParse(text).data, write: String };
const ADDRESS = defineAddress({ month });

const monthNames = new Intl.DateTimeFormat(locale(), { year: 'numeric', month: 'long', timeZone: 'UTC' });

/** '2026-11' -> 'November 2026'. */
function monthName(text: string): string {
  return monthNames.format(new Date(`${text}-01`));
}

/** What a seller earned, was paid and is owed in one month, from the ledger. */
export function Component() {
  const [address, go] = useAddress(ADDRESS);
  const shown = address.month || thisMonth();
  const statement = useSellerStatement(shown);
  const rows = useSellerStatementRows(shown);
  return (
    <PageShell
      title={PAGES.sellerStatement.title()}
      text={t`Your sales in ${monthName(shown)}, in UTC`}
      action={<PrintButton />}
      size="md"
    >
      <div className={classes.tools}>
        <TextInput
          type="month"
          label={t`Month`}
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
          <Trans>Export CSV</Trans>
        </Button>
      </div>
      <SellerDebts />
      <QueryContent
        query={statement}
        errorTitle={t`Error loading the statement`}
        skeleton={<Skeleton height={320} radius="md" />}
      >
        {(sums) => (
          <Surface component="article" className={classes.receipt}>
            <Sums sums={sums} />
            <QueryContent
              query={rows}
              errorTitle={t`Error loading the lines`}
              skeleton={<Skeleton height={160} radius="md" />}
            >
              {(lines) => <Lines lines={lines} />}
            </QueryContent>
          </Surface>
        )}
      </QueryContent>
    </PageShell>
  );
}

function Sums({ sums }: { sums: SellerStatement }) {
  return (
    <Amounts
      lines={[
        { name: t`Opening balance`, amount: sums.opening, isTotal: true },
        { name: t`Sales`, amount: sums.sales },
        { name: t`${{ market: marketName() }}’s fees`, amount: sums.fees },
        { name: t`The payment provider’s fees`, amount: sums.providerFees },
        { name: t`Refunds`, amount: sums.refunds },
        { name: t`Payouts`, amount: sums.payouts },
        ...(Number(sums.debts) === 0 ? [] : [{ name: t`Debts settled`, amount: sums.debts }]),
        { name: t`Closing balance`, amount: sums.closing, isTotal: true },
      ]}
    />
  );
}

function Lines({ lines }: { lines: SellerStatementRows }) {
  if (lines.items.length === 0) {
    return (
      <EmptyState
        title={t`Nothing in this month`}
        text={t`Your sales and payouts appear here once a buyer has paid.`}
        action={
          <Button component={Link} to={paths.myCoupons} variant="default">
            <Trans>See your coupons</Trans>
          </Button>
        }
      />
    );
  }
  return (
    <>
      <Facts
        layout="lines"
        className={classes.amounts}
        aria-label={t`Lines`}
        facts={lines.items.map(({ id, createdAt, text, couponTitle, paymentId, number, fee, amount }) => ({
          id,
          name: (
            <Trans>
              {utcText(createdAt)}: {text}, “{couponTitle}”,{' '}
              <Anchor component={Link} to={paths.saleReceipt(paymentId)} inherit underline="always">
                {number}
              </Anchor>
            </Trans>
          ),
          value:
            fee === null ? moneyText(amount) : t`${moneyText(amount)} after the fee of ${moneyText(fee)}`,
        }))}
      />
      {lines.nextCursor !== null && (
        <Text>
          <Trans>The CSV file has every line.</Trans>
        </Text>
      )}
    </>
  );
}
