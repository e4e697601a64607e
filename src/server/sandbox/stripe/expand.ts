import { UnreadableRequest } from './errors.ts';
import { listOf } from './lists.ts';
import type { Shelves } from './objects.ts';

/** Puts the objects themselves where their ids stand: 'latest_charge.balance_transaction', 'data.charge'. */
export async function expand(shelves: Shelves, object: object, paths: readonly string[]): Promise<object> {
  let expanded = object;
  for (const path of paths) expanded = await expandPath(shelves, expanded, path.split('.'), path);
  return expanded;
}

async function expandPath(
  shelves: Shelves,
  object: object,
  [name = '', ...rest]: readonly string[],
  whole: string,
): Promise<object> {
  const onward = async (value: object) => (rest.length > 0 ? expandPath(shelves, value, rest, whole) : value);
  const value = await valueAt(shelves, object, name, whole);
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    return {
      ...object,
      [name]: await Promise.all(items.map((item) => (isObject(item) ? onward(item) : item))),
    };
  }
  if (value === null) return object;
  return { ...object, [name]: await onward(value) };
}

/** What stands under a name, fetched where it is only an id. */
async function valueAt(
  shelves: Shelves,
  object: object,
  name: string,
  whole: string,
): Promise<object | null> {
  if (name === 'refunds' && 'object' in object && object.object === 'charge' && 'id' in object) {
    const refunds = (await shelves.refunds.list()).filter(({ charge }) => charge === object.id).reverse();
    return listOf(refunds, `/v1/charges/${String(object.id)}/refunds`);
  }
  const value = new Map<string, unknown>(Object.entries(object)).get(name);
  if (value === null || isObject(value)) return value;
  const shelf = typeof value === 'string' ? shelfOf(shelves, value) : null;
  if (shelf === null || typeof value !== 'string') {
    const message = `This property cannot be expanded (${whole}).`;
    throw new UnreadableRequest(400, { type: 'invalid_request_error', message });
  }
  return shelf.get(value);
}

function shelfOf(shelves: Shelves, id: string): { get(id: string): Promise<object | null> } | null {
  switch (id.split('_')[0]) {
    case 'ch':
      return shelves.charges;
    case 'cus':
      return shelves.customers;
    case 'pi':
      return shelves.paymentIntents;
    case 'pm':
      return shelves.paymentMethods;
    case 'tr':
      return shelves.transfers;
    case 'txn':
      return shelves.balanceTransactions;
    default:
      return null;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
