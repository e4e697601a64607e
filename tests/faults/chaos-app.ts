import './clock-ahead.ts';
import { main } from '#server/main.ts';
import { openPayments } from '#server/providers/open-payments.ts';

/**
 * The marketplace as ever, but for its payment provider, which is the test's: the real ones do not fail along with our
 * database either. The test passes our account there in PAYMENT_ACCOUNTS.
 */
await main({
  async prepare({ deps }) {
    const payments = openPayments(deps.config, JSON.parse(process.env.PAYMENT_ACCOUNTS ?? ''));
    Object.assign(deps.providers, { payments: payments.providers, paymentClient: payments.client });
  },
});
