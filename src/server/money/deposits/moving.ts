import { baseCurrency } from '#contract/base/money.ts';
import type { Context } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { noteDeposit } from '#server/deals/exchanges/service.ts';
import { bookDeposit, readDepositTotals } from '#server/money/books/service.ts';
import { countInWorkers, nextTry } from '#server/money/payments/service.ts';
import { readyAccounts } from '#server/people/sellers/service.ts';
import type { DepositState, DepositVault, PaymentProvider } from '#server/providers/payments.ts';
import { claimantOf, type DepositStep, type GivenLeg, mismatchOf, nextStep, statusAfter } from './decide.ts';
import { tellOfDeposit } from './notices.ts';
import * as store from './store.ts';

const AT_ONCE = 200;
/** The wait between two looks at a deposit that waits for people, in tries (`nextTry`): 4 minutes. */
const CALM_TRIES = 3;
/** The wait for an account, a bank or a refund, in tries. */
const SLOW_TRIES = 6;
/** Hourly tries of a week; then a person decides. */
const FAILURES_MAX = 170;
/** Tries that share an idempotency key: the provider repeats stored answers, errors too. */
const TRIES_PER_KEY = 4;

/**
 * Writes what the provider says of a deposit: its status, the books, since when the exchange has it, and who is told.
 * @returns the deposit as it is then
 */
export async function settleDeposit(
  ctx: Context,
  found: Pick<store.DepositRow, 'id' | 'exchangeId'>,
  state: DepositState,
): Promise<store.DepositRow> {
  return inTransaction(ctx.db, async (trx) => {
    const deposit = await store.lockDeposit(trx, found);
    const at = ctx.clock();
    const why = mismatchOf(deposit, state, baseCurrency());
    if (why !== null) {
      await store.updateDeposit(trx, deposit.id, { lastError: why, nextTryAt: null, givenUpAt: at }, at);
      return { ...deposit, givenUpAt: at };
    }
    const { totals, payouts } = state;
    const transferred = payouts.reduce((sum, { amount, reversed }) => sum + amount - reversed, 0);
    const { captured, refunded, withdrawn, lost } = totals;
    const moved = { amount: deposit.amount, refunded, transferred, lost };
    const status = statusAfter(deposit.status, state.status, moved);
    const before = await readDepositTotals(trx, deposit.id);
    const providerFees = totals.providerFees ?? before.providerFees;
    if (captured > 0) {
      const next = { captured, providerFees, refunded, withdrawn, lost, transferred };
      await bookDeposit(trx, { depositId: deposit.id, totals: next, at });
    }
    if (status === deposit.status && deposit.ref === state.ref) return deposit;
    const { given } = await store.findFacts(trx, deposit);
    const isEnd = !['open', 'authorised', 'captured'].includes(status);
    const authorisedAt = deposit.authorisedAt ?? (status === 'open' || status === 'voided' ? undefined : at);
    await store.updateDeposit(
      trx,
      deposit.id,
      {
        ...{ status, ref: state.ref, authorisedAt },
        ...(captured > 0 && deposit.status !== 'captured' && { capturedAt: at }),
        ...(state.chargeRef !== null && { chargeRef: state.chargeRef }),
        ...(status === 'paid_out' && { receiverId: claimantOf(given) ?? deposit.userId }),
        ...(isEnd && { endedAt: at, nextTryAt: null, waitsFor: null }),
      },
      at,
    );
    // One that comes after the end of its exchange is released at once, and nobody is told.
    const isTold =
      status !== 'authorised' ||
      (await noteDeposit(trx, deposit.exchangeId, { userId: deposit.userId, depositAt: at }));
    if (status === 'voided')
      await noteDeposit(trx, deposit.exchangeId, { userId: deposit.userId, depositAt: null });
    const after = { ...deposit, status, ref: state.ref };
    if (status !== deposit.status && isTold)
      await tellOfDeposit(trx, after, { before: deposit.status, given, at });
    return after;
  });
}

/** The provider that reserves deposits; null where none is set up. */
export function vaultOf({ providers }: Context): { provider: PaymentProvider; vault: DepositVault } | null {
  const provider = providers.payments.stripe;
  return provider?.deposits ? { provider, vault: provider.deposits } : null;
}

/** Moves on the deposits that are due. @returns how many have changed */
export async function keepDeposits(ctx: Context): Promise<number> {
  const now = ctx.clock();
  const due = await store.takeDue(ctx.db, { now, until: nextTry(CALM_TRIES, now), limit: AT_ONCE });
  return countInWorkers(ctx, 'depositId', due, (id) => moveOn(ctx, id));
}

/** Takes the next step of a deposit that a person had to decide about. */
export async function retryDeposit(ctx: Context, id: number): Promise<void> {
  const at = ctx.clock();
  await store.updateDeposit(ctx.db, id, { givenUpAt: null, lastError: null, nextTryAt: at }, at);
  await moveOn(ctx, id);
}

/** Takes the next step of a deposit. A failure is stored with the time of the next try; after a week a person decides. */
async function moveOn(ctx: Context, id: number): Promise<boolean> {
  const before = await store.findDeposit(ctx.db, id);
  if (!before || before.endedAt !== null) return false;
  try {
    // What waits for people is not asked about at the provider.
    if (before.status !== 'open' && (await stepOf(ctx, before)).step === 'wait') return false;
    const deposit = await refreshDeposit(ctx, before);
    if (deposit.givenUpAt !== null) return false;
    const { step, given } = await stepOf(ctx, deposit);
    if (step !== 'wait') await take(ctx, deposit, step, given);
    return (await store.findDeposit(ctx.db, id))?.status !== before.status;
  } catch (error) {
    const at = ctx.clock();
    const lastError = error instanceof Error ? error.message : String(error);
    const failures = await store.countFailure(ctx.db, id);
    const isOver = failures >= FAILURES_MAX;
    const next = isOver ? { givenUpAt: at, nextTryAt: null } : { nextTryAt: nextTry(failures, at) };
    await store.updateDeposit(ctx.db, id, { lastError, ...next }, at);
    ctx.log.warn({ err: error, depositId: id }, 'a deposit could not be moved on; later again');
    return false;
  }
}

async function stepOf(ctx: Context, deposit: store.DepositRow) {
  const facts = await store.findFacts(ctx.db, deposit);
  return { given: facts.given, step: nextStep({ ...deposit, ...facts, at: ctx.clock() }) };
}

/** A deposit after it was read from its provider. @throws ProviderUnreachable */
export async function refreshDeposit(ctx: Context, deposit: store.DepositRow): Promise<store.DepositRow> {
  const state = deposit.ref === null ? null : await vaultOf(ctx)?.vault.read(deposit.ref);
  return state ? settleDeposit(ctx, deposit, state) : deposit;
}

async function take(
  ctx: Context,
  deposit: store.DepositRow,
  step: Exclude<DepositStep, 'wait'>,
  given: readonly GivenLeg[],
): Promise<void> {
  const { id, publicId, ref, amount } = deposit;
  const at = ctx.clock();
  const found = vaultOf(ctx);
  if (ref === null) {
    // Nobody has its secret, so nobody can put it up.
    await store.updateDeposit(ctx.db, id, { status: 'voided', endedAt: at, nextTryAt: null }, at);
    return;
  }
  if (!found) return;
  const { provider, vault } = found;
  const idempotencyKey = `${publicId}-${step}-${Math.ceil((deposit.attempts + 1) / TRIES_PER_KEY)}`;
  if (step === 'release') await settleDeposit(ctx, deposit, await vault.release(ref, idempotencyKey));
  else if (step === 'capture') await settleDeposit(ctx, deposit, await vault.capture(ref, idempotencyKey));
  else {
    const state = await vault.read(ref);
    const wait = (waitsFor: store.DepositWait) =>
      store.updateDeposit(ctx.db, id, { waitsFor, nextTryAt: nextTry(SLOW_TRIES, at) }, at);
    if (!state || state.isDisputed) return wait('dispute');
    if (state.totals.refundPending > 0) return wait('refund');
    if (state.totals.refundFailed > 0) {
      // The next one would come back, too.
      const lastError = 'A refund did not reach the card';
      return store.updateDeposit(ctx.db, id, { lastError, nextTryAt: null, givenUpAt: at }, at);
    }
    const money = {
      isDeposit: true,
      publicId,
      amount,
      idempotencyKey,
      chargeRef: state.chargeRef ?? '',
    } as const;
    if (step === 'refund') await provider.refund({ ...money, ref, receiver: '', platformFee: 0 });
    else {
      const receiver = await accountOf(ctx, deposit, given);
      if (receiver === null) {
        await store.updateDeposit(ctx.db, id, { receiverId: claimantOf(given) ?? undefined }, at);
        return wait('account');
      }
      await provider.payOut({ ...money, receiver });
    }
    const after = await vault.read(ref);
    if (after) await settleDeposit(ctx, deposit, after);
  }
  await store.updateDeposit(ctx.db, id, { lastError: null, waitsFor: null }, at);
}

/** The account of whoever gets a deposit; null while they have none, which they are told once. */
async function accountOf(
  ctx: Context,
  deposit: store.DepositRow,
  given: readonly GivenLeg[],
): Promise<string | null> {
  const claimantId = claimantOf(given);
  if (claimantId === null || !(await store.mayBePaid(ctx.db, claimantId))) return null;
  const account = (await readyAccounts(ctx.db, claimantId)).get('stripe') ?? null;
  if (account === null && deposit.waitsFor !== 'account') {
    await inTransaction(ctx.db, (trx) =>
      tellOfDeposit(trx, deposit, { before: 'account', given, at: ctx.clock() }),
    );
  }
  return account;
}
