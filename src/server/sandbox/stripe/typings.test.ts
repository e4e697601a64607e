import { join } from 'node:path';
import type Stripe from 'stripe';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStripeHarness, type StripeHarness } from '#server/testing/stripe-harness.ts';

/** What we check, and its name in Stripe's typings. */
const SHAPES = {
  account: 'Stripe.V2.Core.Account',
  accountLink: 'Stripe.V2.Core.AccountLink',
  balanceTransaction: 'Stripe.BalanceTransaction',
  charge: 'Stripe.Charge',
  customer: 'Stripe.Customer',
  dispute: 'Stripe.Dispute',
  disputes: 'Stripe.ApiList<Stripe.Dispute>',
  event: 'Stripe.Event',
  events: 'Stripe.ApiList<Stripe.Event>',
  paymentIntent: 'Stripe.PaymentIntent',
  paymentMethod: 'Stripe.PaymentMethod',
  refund: 'Stripe.Refund',
  refunds: 'Stripe.ApiList<Stripe.Refund>',
  transfer: 'Stripe.Transfer',
  transfers: 'Stripe.ApiList<Stripe.Transfer>',
  transferReversal: 'Stripe.TransferReversal',
} as const;
type Shape = keyof typeof SHAPES;

let faultsOf: (value: unknown, shape: Shape) => string[];
let harness: StripeHarness;
let stripe: Stripe;

beforeAll(async () => {
  faultsOf = openTypings();
  harness = await openStripeHarness();
  stripe = harness.stripe;
});
afterAll(() => harness.close());

/** Reads the typings that the pinned SDK ships, and answers what is wrong with a value. */
function openTypings(): typeof faultsOf {
  const fileName = join(import.meta.dirname, 'shapes-of-stripe.ts');
  const lines = Object.entries(SHAPES).map(([name, type]) => `export type ${name} = ${type};`);
  const source = `import type Stripe from 'stripe';\n${lines.join('\n')}\n`;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile;
  host.getSourceFile = (name, ...rest) =>
    name === fileName ? ts.createSourceFile(name, source, rest[0]) : readSource(name, ...rest);
  const program = ts.createProgram([fileName], options, host);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(fileName);
  const types = new Map<string, ts.Type>();
  file?.forEachChild((node) => {
    if (ts.isTypeAliasDeclaration(node)) types.set(node.name.text, checker.getTypeAtLocation(node.name));
  });
  return (value, shape) => {
    const type = types.get(shape);
    if (!type || type.flags & ts.TypeFlags.Any) throw new Error(`Stripe's typings have no ${SHAPES[shape]}`);
    return walk(checker, JSON.parse(JSON.stringify(value)), type, shape);
  };
}

/** What is wrong with a JSON value that should be of a type: '' none, else one line for each fault. */
function walk(checker: ts.TypeChecker, value: unknown, type: ts.Type, path: string): string[] {
  if (type.isUnion()) return closest(type.types.map((member) => walk(checker, value, member, path)));
  // 'any other text', as Stripe writes it: a text and nothing more.
  if (type.isIntersection()) {
    const texts = type.types.filter(({ flags }) => flags & ts.TypeFlags.String);
    return (texts.length > 0 ? texts : type.types).flatMap((part) => walk(checker, value, part, path));
  }
  const isObject = typeof value === 'object' && value !== null;
  if (!(type.flags & ts.TypeFlags.Object)) {
    return fitsPlain(checker, value, type) ? [] : [`${path}: wants ${checker.typeToString(type)}`];
  }
  if (checker.isArrayType(type)) {
    const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
    if (!Array.isArray(value) || !item) return [`${path}: wants a list`];
    return value.flatMap((entry: unknown, index) => walk(checker, entry, item, `${path}[${index}]`));
  }
  if (!isObject || Array.isArray(value)) return [`${path}: wants an object`];
  return walkProperties(checker, new Map<string, unknown>(Object.entries(value)), type, path);
}

function walkProperties(
  checker: ts.TypeChecker,
  values: ReadonlyMap<string, unknown>,
  type: ts.Type,
  path: string,
): string[] {
  const properties = checker.getPropertiesOfType(type);
  const anyKey = checker.getIndexTypeOfType(type, ts.IndexKind.String);
  const known = new Set(properties.map(({ name }) => name));
  const others = [...values].filter(([name]) => !known.has(name));
  return [
    ...properties.flatMap((property) => {
      const here = `${path}.${property.name}`;
      if (!values.has(property.name)) {
        return property.flags & ts.SymbolFlags.Optional ? [] : [`${here}: missing`];
      }
      return walk(checker, values.get(property.name), checker.getTypeOfSymbol(property), here);
    }),
    ...others.flatMap(([name, value]) =>
      anyKey ? walk(checker, value, anyKey, `${path}.${name}`) : [`${path}.${name}: unknown`],
    ),
  ];
}

function fitsPlain(checker: ts.TypeChecker, value: unknown, type: ts.Type): boolean {
  const { flags } = type;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return true;
  if (type.isStringLiteral() || type.isNumberLiteral()) return value === type.value;
  if (flags & ts.TypeFlags.BooleanLiteral) return String(value) === checker.typeToString(type);
  if (flags & ts.TypeFlags.String) return typeof value === 'string';
  if (flags & ts.TypeFlags.Number) return typeof value === 'number';
  if (flags & ts.TypeFlags.Boolean) return typeof value === 'boolean';
  return Boolean(flags & ts.TypeFlags.Null) && value === null;
}

/** Of a union's members the one that fits best. One fault deep inside is nearer than another kind of thing. */
function closest(faults: readonly string[][]): string[] {
  const depth = (lines: readonly string[]) => Math.max(...lines.map((line) => line.split(/[.[]/).length));
  const [best = []] = faults.toSorted((a, b) =>
    a.length === 0 || b.length === 0 ? a.length - b.length : depth(b) - depth(a) || a.length - b.length,
  );
  return best;
}

describe("the stand-in's answers are as Stripe's typings say", () => {
  test('payment intents and their charges, at every stage', async () => {
    const cases: readonly [number: string, status: Stripe.PaymentIntent.Status, isCharged: boolean][] = [
      ['4242424242424242', 'succeeded', true],
      ['4000000000000002', 'requires_payment_method', true],
      ['4000000000003220', 'requires_action', false],
      ['4000000000003006', 'processing', false],
    ];
    for (const [index, [number, status, isCharged]] of cases.entries()) {
      const { ref, clientSecret } = await harness.makePayment(100 + index);
      expect(faultsOf(await stripe.paymentIntents.retrieve(ref), 'paymentIntent')).toEqual([]);
      await harness.sandbox.confirmWithCard(clientSecret, number);
      const intent = await stripe.paymentIntents.retrieve(ref);
      expect(intent.status).toBe(status);
      expect(faultsOf(intent, 'paymentIntent')).toEqual([]);
      const expand = ['latest_charge.balance_transaction', 'latest_charge.refunds', 'payment_method'];
      const expanded = await stripe.paymentIntents.retrieve(ref, { expand });
      expect(faultsOf(expanded, 'paymentIntent')).toEqual([]);
      expect(intent.latest_charge !== null).toBe(isCharged);
      if (isCharged) expect(faultsOf(expanded.latest_charge, 'charge')).toEqual([]);
    }
  });

  test('a cancelled payment intent', async () => {
    const { ref } = await harness.makePayment(110);
    const intent = await stripe.paymentIntents.cancel(ref);
    expect(intent.status).toBe('canceled');
    expect(faultsOf(intent, 'paymentIntent')).toEqual([]);
  });

  test('bookings, refunds and disputes', async () => {
    const { ref, chargeRef } = await harness.makePaid(120);
    const charge = await stripe.charges.retrieve(chargeRef);
    expect(faultsOf(charge, 'charge')).toEqual([]);
    const booking = await stripe.balanceTransactions.retrieve(String(charge.balance_transaction));
    expect(booking).toMatchObject({ status: 'available', fee: 121, net: 3_029 });
    expect(faultsOf(booking, 'balanceTransaction')).toEqual([]);

    const dispute = await stripe.disputes.retrieve(await harness.sandbox.openDispute(ref));
    expect(dispute.status).toBe('needs_response');
    expect(faultsOf(dispute, 'dispute')).toEqual([]);
    await harness.sandbox.closeDispute(dispute.id, 'won');
    const disputes = await stripe.disputes.list({ payment_intent: ref });
    expect(disputes.data.map(({ status }) => status)).toEqual(['won']);
    expect(faultsOf(disputes, 'disputes')).toEqual([]);

    const refund = await stripe.refunds.create({ payment_intent: ref });
    expect(refund.status).toBe('succeeded');
    expect(faultsOf(await stripe.refunds.retrieve(refund.id), 'refund')).toEqual([]);
    expect(faultsOf(await stripe.refunds.list({ payment_intent: ref }), 'refunds')).toEqual([]);
  });

  test('transfers and their reversals', async () => {
    const paid = await harness.makePaid(130);
    const { ref } = await harness.provider.payOut({
      ...{ paymentId: 130, amount: 2_850, receiver: paid.receiver, chargeRef: paid.chargeRef },
      idempotencyKey: 'payout-130',
    });
    expect(faultsOf(await stripe.transfers.retrieve(ref), 'transfer')).toEqual([]);
    expect(faultsOf(await stripe.transfers.createReversal(ref), 'transferReversal')).toEqual([]);
    expect(faultsOf(await stripe.transfers.retrieve(ref), 'transfer')).toEqual([]);
    expect(faultsOf(await stripe.transfers.list({ transfer_group: 'payment_130' }), 'transfers')).toEqual([]);
  });

  test('customers and their cards', async () => {
    const customer = await stripe.customers.create({ email: 'a@example.com', metadata: { user_id: 1 } });
    expect(faultsOf(customer, 'customer')).toEqual([]);
    const { ref, clientSecret } = await harness.makePayment(140);
    await stripe.paymentIntents.update(ref, { customer: customer.id, setup_future_usage: 'on_session' });
    await harness.sandbox.confirmWithCard(clientSecret, '5555555555554444');
    const expand = ['payment_method', 'customer'];
    const intent = await stripe.paymentIntents.retrieve(ref, { expand });
    expect(faultsOf(intent, 'paymentIntent')).toEqual([]);
    expect(faultsOf(intent.payment_method, 'paymentMethod')).toEqual([]);
  });

  test('accounts at every stage of their set-up, and their links', async () => {
    const include: Stripe.V2.Core.AccountRetrieveParams['include'] = [
      ...(['configuration.recipient', 'requirements', 'identity', 'defaults'] as const),
    ];
    const read = async (id: string) => {
      const account = await stripe.v2.core.accounts.retrieve(id, { include });
      expect(faultsOf(account, 'account')).toEqual([]);
      return account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status;
    };
    const { accountRef, path } = await harness.startSeller(150);
    expect(faultsOf(await stripe.v2.core.accounts.retrieve(accountRef), 'account')).toEqual([]);
    expect(await read(accountRef)).toBe('pending');
    await harness.browse(path, 'choice=incomplete');
    expect(await read(accountRef)).toBe('restricted');
    await harness.sandbox.finishOnboarding(accountRef);
    expect(await read(accountRef)).toBe('active');

    const onboarding = { return_url: 'http://localhost/back', refresh_url: 'http://localhost/again' };
    const link = await stripe.v2.core.accountLinks.create({
      account: accountRef,
      use_case: { type: 'account_onboarding', account_onboarding: onboarding },
    });
    expect(faultsOf(link, 'accountLink')).toEqual([]);
  });

  test('events', async () => {
    const { ref } = await harness.makePayment(160);
    const events = await stripe.events.list({ limit: 100 });
    expect(events.data.map(({ data }) => ('id' in data.object ? data.object.id : null))).toContain(ref);
    for (const event of events.data) expect(faultsOf(event, 'event')).toEqual([]);
  });
});

describe('the check itself', () => {
  test('finds what is missing, of another kind, unknown, and no such word', async () => {
    const { ref } = await harness.makePayment(170);
    const good: object = await stripe.paymentIntents.retrieve(ref);
    const { status: _status, ...withoutStatus } = { status: null, ...good };
    const bad: readonly [value: object, fault: string][] = [
      [withoutStatus, 'paymentIntent.status: missing'],
      [{ ...good, amount: '3150' }, 'paymentIntent.amount: wants number'],
      [{ ...good, livemode: null }, 'paymentIntent.livemode: wants'],
      [{ ...good, payment_method_types: 'card' }, 'paymentIntent.payment_method_types: wants a list'],
      [{ ...good, payment_method_types: [1] }, 'paymentIntent.payment_method_types[0]: wants string'],
      [{ ...good, object: 'charge' }, 'paymentIntent.object: wants "payment_intent"'],
      [{ ...good, transfer_date: null }, 'paymentIntent.transfer_date: unknown'],
      [{ ...good, metadata: { payment_id: 7 } }, 'paymentIntent.metadata.payment_id: wants string'],
      [{ ...good, latest_charge: { id: 'ch_1', object: 'charge' } }, 'paymentIntent.latest_charge.amount'],
    ];
    expect(faultsOf(good, 'paymentIntent')).toEqual([]);
    for (const [value, fault] of bad) {
      expect(faultsOf(value, 'paymentIntent').join('\n')).toContain(fault);
    }
    const account = { awaiting_action_from: 'nobody' };
    const { accountRef } = await harness.startSeller(170);
    const known: object = await stripe.v2.core.accounts.retrieve(accountRef);
    expect(faultsOf({ ...known, dashboard: 'none' }, 'account')).toEqual([]);
    expect(faultsOf({ ...known, dashboard: 'some' }, 'account')).not.toEqual([]);
    expect(faultsOf({ ...known, requirements: { entries: [account] } }, 'account').join()).toContain(
      'account.requirements.entries[0].awaiting_action_from: wants',
    );
  });
});
