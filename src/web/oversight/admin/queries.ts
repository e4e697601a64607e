import { keepPreviousData } from '@tanstack/react-query';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import type { Page, PageRef } from '#contract/base/primitives.ts';
import type { PaymentIssueFilters } from '#contract/money/payment-issues.ts';
import type { FeeFilters, ListFeeLogsInput } from '#contract/money/payments.ts';
import type { AuditFilters, DeniedRequestFilters, UserFilters } from '#contract/oversight/moderation.ts';
import type { Health } from '#contract/oversight/operations.ts';
import type { Feeds, ValidatorList } from '#contract/oversight/sources.ts';
import type { Settings } from '#contract/people/settings.ts';
import { hasCode } from '#web/lib/errors.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Half a year: as many bars as fit on a phone. */
const CHART_WEEKS = 26;

const NO_ROWS: Page<never> = {
  items: [],
  total: 0,
  totalIsCapped: false,
  nextCursor: null,
  previousCursor: null,
};

const noStats = () => ({
  platformFees: '0.00',
  processedTransactions: 0,
  feeRates: feeRatesNow(),
  reserve: { balance: '0.00', paidIn: '0.00', laidOut: '0.00', cameBack: '0.00' },
});
const NO_HEALTH: Health = {
  lastChecks: null,
  jobs: [],
  webhooks: [],
  mail: { transport: 'none', waiting: 0, failed: 0, lastSentAt: null },
  newCodes: { waiting: 0, givenUp: [] },
};

/** A query of the dashboard as its panels use it. `data` is null where the session has ended. */
export interface AdminRead<Data> {
  readonly data: Data | null | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  /** Whether `data` is still the page before. */
  readonly isPlaceholderData: boolean;
  readonly refetch: () => unknown;
}

/** The page before stays on screen while the next one loads. */
const LIST = { placeholderData: keepPreviousData };

/** Admin queries treat a 401 as null and a 404 as empty (spec/3 section 7). */
function lenient<Data>(
  query: Pick<AdminRead<unknown>, 'error' | 'isFetching' | 'isPlaceholderData' | 'refetch'> & {
    readonly data: Data;
  },
  empty: NoInfer<NonNullable<Data>>,
): AdminRead<NonNullable<Data>> {
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  const rest = { isFetching, isPlaceholderData, refetch };
  if (hasCode(error, 'unauthorized')) return { data: null, error: null, ...rest };
  if (hasCode(error, 'not_found')) return { data: empty, error: null, ...rest };
  return { data: data ?? undefined, error, ...rest };
}

/** The platform's fees and sales so far. */
export function useStats() {
  return lenient(trpc.admin.stats.useQuery(), noStats());
}

/** The fees of the last weeks, the oldest first. */
export function useWeeklyFees() {
  return lenient(trpc.admin.weeklyFees.useQuery({ weeks: CHART_WEEKS }), []);
}

/** Filters with the page that they are read for. */
type OnPage<Filters> = Filters & { readonly page: PageRef };

const rowsOf = <Filters>(given: OnPage<Filters>) => ({ ...given, limit: PAGE_SIZES.admin });

/** A page of the fees of paid sales. */
export function usePlatformFees(given: OnPage<FeeFilters>) {
  return lenient(trpc.admin.platformFees.useQuery(rowsOf(given), LIST), NO_ROWS);
}

/** A page of the log of payments, payouts and refunds. */
export function useFeeLogs(given: OnPage<Pick<ListFeeLogsInput, 'sort'>>) {
  return lenient(trpc.admin.platformFeeLogs.useQuery(rowsOf(given), LIST), NO_ROWS);
}

/** A page of the log of moderators' and admins' decisions. */
export function useAuditLog(given: OnPage<AuditFilters>) {
  return lenient(trpc.admin.auditLog.useQuery(rowsOf(given), LIST), NO_ROWS);
}

/** A page of what people were refused. */
export function useDeniedRequests(given: OnPage<DeniedRequestFilters>) {
  return lenient(trpc.admin.deniedRequests.useQuery(rowsOf(given), LIST), NO_ROWS);
}

/** A page of accounts. */
export function useUsers(given: OnPage<UserFilters>) {
  return lenient(trpc.admin.users.useQuery(rowsOf(given), LIST), NO_ROWS);
}

/** A page of what waits for an admin, or of what admins have marked as handled. */
export function usePaymentIssues(given: OnPage<PaymentIssueFilters>) {
  return lenient(trpc.paymentIssues.list.useQuery(rowsOf(given), LIST), NO_ROWS);
}

/** A payment with all of its money. */
export function usePaymentFile(paymentId: number) {
  return trpc.paymentIssues.payment.useQuery({ paymentId }, { staleTime: 0 });
}

/** The text for the answer to a dispute. */
export function useEvidence(paymentId: number) {
  return trpc.paymentIssues.evidence.useQuery({ paymentId }, { staleTime: 0 });
}

/** What sellers owe, the oldest first. */
export function useDebts() {
  return lenient(trpc.admin.debts.useQuery(), []);
}

/** What admins can change while the market runs. */
export function useSettings(): AdminRead<Settings> {
  return whileSignedIn(trpc.settings.list.useQuery(undefined, { refetchOnMount: 'always' }));
}

/** The feeds of public codes. Their readings go on while the panel is open. */
export function useFeeds(): AdminRead<Feeds> {
  return whileSignedIn(
    trpc.sources.feeds.useQuery(undefined, { refetchInterval: 30_000, refetchOnMount: 'always' }),
  );
}

/** Who confirms codes. */
export function useValidators(): AdminRead<ValidatorList> {
  return whileSignedIn(trpc.sources.validators.useQuery(undefined, { refetchOnMount: 'always' }));
}

/** A query of which nothing is shown after the end of the session. */
function whileSignedIn<Data>(
  query: Pick<AdminRead<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>,
): AdminRead<Data> {
  const { data, error, isFetching, refetch } = query;
  const isSignedOut = hasCode(error, 'unauthorized');
  const rest = { error: isSignedOut ? null : error, isFetching, isPlaceholderData: false, refetch };
  return { data: isSignedOut ? null : data, ...rest };
}

/** Health of the jobs, the webhooks and the mail; polled every half minute while the panel is open. */
export function useHealth() {
  const query = trpc.admin.health.useQuery(undefined, { refetchInterval: 30_000, refetchOnMount: 'always' });
  return lenient(query, NO_HEALTH);
}
