import { NotReached, type Redemption, type Redemptions } from './adapter.ts';
import type { HttpAnswer } from './http.ts';
import type { HttpRedemptionsCall } from './settings.ts';
import { readPointer } from './templates.ts';

/**
 * How a code was used, by an answer of a described call. An unknown code was never used.
 * @throws NotReached when the answer does not say so
 */
export function toRedemptions({ status, json }: HttpAnswer, call: HttpRedemptionsCall): Redemptions {
  if (status === 404) return { count: 0, told: [] };
  if (status >= 300 || typeof json !== 'object') throw new NotReached(`status ${status}`);
  const list = call.list === undefined ? [] : readPointer(json, call.list);
  const count = call.count === undefined ? 0 : readPointer(json, call.count);
  if (!Array.isArray(list) || typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0)
    throw new NotReached('an answer that does not read');
  return {
    count: Math.max(count, list.length),
    told: list.flatMap((item) => redemptionOf(item, call) ?? []),
  };
}

/** Null where its time is not told exactly. */
function redemptionOf(item: unknown, { at: pointer, place }: HttpRedemptionsCall): Redemption | null {
  const at = pointer === undefined ? null : instantOf(readPointer(item, pointer));
  const named = place === undefined ? null : readPointer(item, place);
  const isNamed = typeof named === 'string' && named.trim() !== '';
  return at && { at, place: isNamed ? named.trim() : null };
}

const MS_FROM = 100_000_000_000;
/** With a time and its zone: a day alone may be a day early or late. */
const ISO_INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/;

/** An ISO instant, or a Unix time in seconds or milliseconds; null for anything else. */
export function instantOf(value: unknown): Date | null {
  if (typeof value === 'number') return inOurTime(new Date(value < MS_FROM ? value * 1_000 : value));
  return typeof value === 'string' && ISO_INSTANT.test(value) ? inOurTime(new Date(value)) : null;
}

/** Null for a date that is none, or of another millennium. */
export function inOurTime(at: Date): Date | null {
  const year = at.getUTCFullYear();
  return year >= 2_000 && year < 10_000 ? at : null;
}
