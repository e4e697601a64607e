import { expect, it } from 'vitest';
import { setUpDatabase } from '#server/testing/database.ts';
import { createMemoryStore } from '#server/testing/sandbox-store.ts';
import { createSandboxStore } from './store.ts';

const database = setUpDatabase();

const ORDER = { id: 'A1', currency_code: 'CAD', purchase_units: [{ custom_id: '7', null_too: null }] };

it.each([
  ['the database', () => createSandboxStore(database.db)],
  ['memory', () => createMemoryStore()],
])('%s returns stored values unchanged, in the order of their insertion', async (_, open) => {
  const store = open();
  expect(await store.get('paypal.order', 'A1')).toBeUndefined();
  await store.put('paypal.order', 'B2', { id: 'B2' });
  await store.put('paypal.order', 'A1', ORDER);
  await store.put('paypal.order', 'B2', { id: 'B2', is_paid: true });
  await store.put('stripe.charge', 'A1', { id: 'another kind' });
  expect(await store.get('paypal.order', 'A1')).toEqual(ORDER);
  expect(await store.list('paypal.order')).toEqual([{ id: 'B2', is_paid: true }, ORDER]);
  await store.trim('paypal.order', 2);
  expect(await store.list('paypal.order')).toHaveLength(2);
  await store.trim('paypal.order', 1);
  expect(await store.list('paypal.order')).toEqual([ORDER]);
  expect(await store.list('stripe.charge')).toHaveLength(1);
});
