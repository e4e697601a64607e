import { beforeAll, describe, expect, it } from 'vitest';
import { decimalToCents } from '#contract/money.ts';
import type { JournalRows, SellerStatementRows } from '#contract/papers.ts';
import type { Actor } from '#server/domains/context.ts';
import { decideClaim, listClaims, openClaim } from '#server/domains/payments/protection.ts';
import { actingAs, createUser } from '#server/testing/builders.ts';
import { type AcceptedBid, paymentOf, setUpMarket } from '#server/testing/payments.ts';

const market = setUpMarket();
let seller: Actor;
let admin: Actor;
let moderator: Actor;
let refunded: AcceptedBid;
let held: AcceptedBid;
let byPaypal: AcceptedBid;

const cents = (amount: string) => (amount.startsWith('-') ? -1 : 1) * decimalToCents(amount.replace('-', ''));
const get = (who: Actor | null, url: string) => market.call(who, { method: 'GET', url });
const paperOf = async (who: Actor | null, bid: AcceptedBid, query = '') =>
  get(who, `/api/sales/${(await paymentOf(market.ctx, bid)).id}/paper${query}`);

beforeAll(async () => {
  admin = await createUser(market.ctx, { role: 'admin' });
  moderator = await createUser(market.ctx, { role: 'moderator' });
  seller = await market.readySeller();
  held = await market.paidBid({ amount: 310, seller, by: 'stripe' });
  byPaypal = await market.paidBid({ amount: 2_000, seller, by: 'paypal' });
  refunded = await market.paidBid({ amount: 1_000, seller, by: 'stripe' });
  const reason = 'The code does not work.';
  await openClaim(actingAs(market.ctx, refunded.buyer), { bidId: refunded.id, reason });
  const staff = actingAs(market.ctx, moderator);
  const { items } = await listClaims(staff, { onlyOpen: true, page: 1, limit: 10 });
  await decideClaim(staff, { id: items[0]?.id ?? 0, decision: 'refund', note: 'It is so.' });
});

describe('the papers of a sale', () => {
  it('are a receipt for the buyer and a fee statement for the seller', async () => {
    const both = {
      buyerUsername: held.buyer.username,
      sellerUsername: seller.username,
      couponTitle: held.coupon.title,
      amount: '3.10',
      fee: '0.16',
      provider: 'stripe',
      status: 'held',
    };
    const receipt = (await paperOf(held.buyer, held)).json();
    expect(receipt).toMatchObject({ ...both, kind: 'receipt', total: '3.26', movements: [] });
    expect(receipt.number).toMatch(/^R-\d{6}$/);
    const statement = (await paperOf(seller, held)).json();
    expect(statement).toMatchObject({ ...both, kind: 'statement', total: '2.94' });
    expect(statement.number).toMatch(/^S-\d{6}$/);
  });

  it('never show the code of the coupon', async () => {
    for (const who of [held.buyer, seller, admin]) {
      expect((await paperOf(who, held)).body).not.toContain(held.coupon.code);
    }
  });

  it('exist for these two people and admins alone', async () => {
    const stranger = await createUser(market.ctx);
    expect((await paperOf(null, held)).statusCode).toBe(401);
    for (const who of [stranger, moderator, refunded.buyer]) {
      expect((await paperOf(who, held)).statusCode).toBe(404);
    }
    expect((await paperOf(admin, held)).json()).toMatchObject({ kind: 'receipt' });
    expect((await paperOf(admin, held, '?kind=statement')).json()).toMatchObject({ kind: 'statement' });
    // A party cannot read the other one's paper.
    expect((await paperOf(held.buyer, held, '?kind=statement')).json()).toMatchObject({ kind: 'receipt' });
  });

  it('do not exist before the payment', async () => {
    const bid = await market.acceptedBid({ seller });
    await market.intentOf(bid);
    expect((await paperOf(bid.buyer, bid)).statusCode).toBe(404);
  });

  it('list a refund for both, with the sign of each side', async () => {
    const [id, at] = [expect.any(Number), expect.any(String)];
    expect((await paperOf(refunded.buyer, refunded)).json().movements).toEqual([
      { id, at, text: 'Refunded to you', amount: '10.50' },
    ]);
    expect((await paperOf(seller, refunded)).json().movements).toEqual([
      { id, at, text: 'Refunded to the buyer', amount: '-9.50' },
    ]);
  });
});

describe('the monthly statement', () => {
  const statementOf = async (who: Actor, month: string) =>
    (await get(who, `/api/seller-statement?month=${month}`)).json();

  it('equals the ledger to the cent', async () => {
    const statement = await statementOf(seller, '2035-06');
    const booked = await market.ctx.db
      .selectFrom('ledgerEntries')
      .innerJoin('ledgerAccounts', 'ledgerAccounts.id', 'ledgerEntries.accountId')
      .select(['ledgerEntries.amount'])
      .where('ledgerAccounts.userId', '=', seller.id)
      .execute();
    const owed = -booked.reduce((sum, { amount }) => sum + cents(amount), 0);
    expect(cents(statement.closing)).toBe(owed);
    const { opening, sales, fees, providerFees, refunds, payouts } = statement;
    expect([opening, sales, fees]).toEqual(['0.00', '33.10', '-1.66']);
    expect(cents(providerFees)).toBeLessThan(0);
    expect([refunds, payouts]).toEqual(['-9.50', '0.00']);
    const parts = [opening, sales, fees, providerFees, refunds, payouts];
    expect(parts.reduce((sum, part) => sum + cents(part), 0)).toBe(owed);
    expect((await paymentOf(market.ctx, byPaypal)).receiverId).toBe(seller.id);
  });

  it('opens with the closing balance of the month before, and is empty without sales', async () => {
    const [june, july] = [await statementOf(seller, '2035-06'), await statementOf(seller, '2035-07')];
    expect(july).toMatchObject({ opening: june.closing, sales: '0.00', closing: june.closing });
    expect(await statementOf(held.buyer, '2035-06')).toMatchObject({ opening: '0.00', closing: '0.00' });
  });

  it('has lines that add up to its change, in portions and as CSV', async () => {
    const lines = [];
    for (let page: string | number = 1; ; ) {
      const input = { month: '2035-06', limit: 2, page };
      const answer = await market.trpc(seller, 'query', 'payments.sellerStatementRows', input);
      const portion: SellerStatementRows = answer.json().result.data;
      lines.push(...portion.items);
      if (portion.nextCursor === null) break;
      page = portion.nextCursor;
    }
    const { closing } = await statementOf(seller, '2035-06');
    expect(lines.reduce((sum, { amount }) => sum + cents(amount), 0)).toBe(cents(closing));
    const csv = await get(seller, '/api/seller-statement.csv?month=2035-06');
    expect(csv.headers['content-disposition']).toBe('attachment; filename="statement-2035-06.csv"');
    expect(csv.body.trimEnd().split('\r\n')).toHaveLength(lines.length + 1);
    expect((await get(null, '/api/seller-statement.csv?month=2035-06')).statusCode).toBe(401);
    expect((await get(seller, '/api/seller-statement.csv?month=2035-13')).statusCode).toBe(400);
  });
});

describe('the journals of a period', () => {
  const journals = (who: Actor | null, query: string) => get(who, `/api/admin/journals.csv?${query}`);
  const june = 'from=2035-06-01&to=2035-06-30';

  it('are exported once each, and every journal adds up to zero', async () => {
    const answer = await journals(admin, june);
    const [head, ...rows] = answer.body.trimEnd().split('\r\n');
    expect(head).toBe('entry,journal,date,kind,payment,account,provider,person,amount (CAD)');
    const { count } = await market.ctx.db
      .selectFrom('ledgerEntries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    expect(new Set(rows.map((row) => row.split(',')[0])).size).toBe(count);
    expect(rows).toHaveLength(count);
    const sums = new Map<string, number>();
    for (const row of rows) {
      const [journal = '', amount = ''] = [row.split(',')[1], row.split(',').at(-1)?.replace(/^'/, '')];
      sums.set(journal, (sums.get(journal) ?? 0) + cents(amount));
    }
    expect([...sums.values()].every((sum) => sum === 0)).toBe(true);
  });

  it('are read in portions without a gap', async () => {
    const all = (await get(admin, `/api/admin/journals.csv?${june}`)).body.trimEnd().split('\r\n').slice(1);
    const ids: string[] = [];
    for (let page: string | number = 1; ; ) {
      const input = { from: '2035-06-01', to: '2035-06-30', limit: 2, page };
      const answer = await market.trpc(admin, 'query', 'admin.journalRows', input);
      const portion: JournalRows = answer.json().result.data;
      ids.push(...portion.items.map(({ id }: { id: number }) => String(id)));
      if (portion.nextCursor === null) break;
      page = portion.nextCursor;
    }
    expect(ids).toEqual(all.map((row) => row.split(',')[0]));
  });

  it('are for admins alone, and refuse a period that ends before it begins', async () => {
    expect((await journals(null, june)).statusCode).toBe(401);
    for (const who of [seller, moderator]) expect((await journals(who, june)).statusCode).toBe(403);
    expect((await journals(admin, 'from=2035-07-01&to=2035-06-30')).statusCode).toBe(400);
    expect((await journals(admin, '')).statusCode).toBe(400);
    const empty = await journals(admin, 'from=2034-01-01&to=2034-12-31');
    expect(empty.body.trimEnd().split('\r\n')).toHaveLength(1);
  });
});
