import type { MarketDayGraph } from '#contract/deals/market-day-certificate.ts';

/** A graph as columns of numbers, which reach another process fast. */
export interface Columns {
  readonly coupons: Float64Array;
  readonly isGift: Uint8Array;
  readonly wishes: Float64Array;
  readonly times: Uint8Array;
  readonly takeWishes: Float64Array;
  readonly takeCoupons: Float64Array;
  readonly fits: Uint8Array;
  readonly urgencies: Uint8Array;
  readonly giveWishes: Float64Array;
  readonly giveCoupons: Float64Array;
  readonly takesGifts: Float64Array;
}

/** Writes a graph as columns, in its own order. Owners are left out: the solver needs no more than who takes and gives what. */
export function columnsOf({ coupons, wishes, takes, gives, takesGifts }: MarketDayGraph): Columns {
  return {
    coupons: numbersOf(coupons, ({ number }) => number),
    isGift: gradesOf(coupons, ({ isGift }) => Number(isGift)),
    wishes: numbersOf(wishes, ({ number }) => number),
    times: gradesOf(wishes, ({ times }) => times),
    takeWishes: numbersOf(takes, ({ wish }) => wish),
    takeCoupons: numbersOf(takes, ({ coupon }) => coupon),
    fits: gradesOf(takes, ({ fit }) => fit),
    urgencies: gradesOf(takes, ({ urgency }) => urgency),
    giveWishes: numbersOf(gives, ({ wish }) => wish),
    giveCoupons: numbersOf(gives, ({ coupon }) => coupon),
    takesGifts: Float64Array.from(takesGifts),
  };
}

/** `from` of the typed arrays takes several times as long for objects, and the server waits for this. */
function numbersOf<Line>(lines: readonly Line[], of: (line: Line) => number): Float64Array {
  const column = new Float64Array(lines.length);
  for (let place = 0; place < column.length; place += 1) column[place] = of(lines[place] as Line);
  return column;
}

const gradesOf = <Line>(lines: readonly Line[], of: (line: Line) => number): Uint8Array =>
  Uint8Array.from(numbersOf(lines, of));

/** A graph by places: coupons and wishes in the order of their numbers, lines in the order of wish and coupon. */
export interface Places {
  /** The numbers of the coupons and wishes. */
  readonly coupons: Float64Array;
  readonly wishes: Float64Array;
  readonly isGift: Uint8Array;
  readonly times: Uint8Array;
  readonly takeWishes: Int32Array;
  readonly takeCoupons: Int32Array;
  readonly fits: Uint8Array;
  readonly urgencies: Uint8Array;
  readonly giveWishes: Int32Array;
  readonly giveCoupons: Int32Array;
  readonly takesGifts: Int32Array;
}

/**
 * Sorts a graph, so that the order of its lines does not matter for what follows.
 * @throws Error when a line names what is not in the graph
 */
export function placesOf(columns: Columns): Places {
  const byCoupon = Int32Array.from(columns.coupons.keys()).sort(
    (one, other) => (columns.coupons[one] ?? 0) - (columns.coupons[other] ?? 0),
  );
  const byWish = Int32Array.from(columns.wishes.keys()).sort(
    (one, other) => (columns.wishes[one] ?? 0) - (columns.wishes[other] ?? 0),
  );
  const coupons = columns.coupons.slice().sort();
  const wishes = columns.wishes.slice().sort();
  const couponPlaces = placesIn(coupons);
  const wishPlaces = placesIn(wishes);
  const [takeWishes, takeCoupons] = [wishPlaces(columns.takeWishes), couponPlaces(columns.takeCoupons)];
  const [giveWishes, giveCoupons] = [wishPlaces(columns.giveWishes), couponPlaces(columns.giveCoupons)];
  const takes = ordered(takeWishes, wishes.length, ordered(takeCoupons, coupons.length));
  const gives = ordered(giveWishes, wishes.length, ordered(giveCoupons, coupons.length));
  return {
    coupons,
    wishes,
    isGift: chosen(columns.isGift, byCoupon),
    times: chosen(columns.times, byWish),
    takeWishes: chosen(takeWishes, takes),
    takeCoupons: chosen(takeCoupons, takes),
    fits: chosen(columns.fits, takes),
    urgencies: chosen(columns.urgencies, takes),
    giveWishes: chosen(giveWishes, gives),
    giveCoupons: chosen(giveCoupons, gives),
    takesGifts: wishPlaces(columns.takesGifts).sort(),
  };
}

/** The places of numbers among sorted ones. */
function placesIn(sorted: Float64Array): (numbers: Float64Array) => Int32Array {
  const places = new Map<number, number>();
  for (const [place, number] of sorted.entries()) places.set(number, place);
  return (numbers) =>
    Int32Array.from(numbers, (number) => {
      const place = places.get(number);
      if (place === undefined) throw new Error(`The graph has no coupon or wish ${number}`);
      return place;
    });
}

/** The lines in the order of their keys, which are below `keys`; equal ones keep their order (counting sort). */
function ordered(keyOf: Int32Array, keys: number, lines: Iterable<number> = keyOf.keys()): Int32Array {
  const next = new Int32Array(keys + 1);
  for (const key of keyOf) next[key + 1] = (next[key + 1] ?? 0) + 1;
  for (let key = 0; key < keys; key += 1) next[key + 1] = (next[key + 1] ?? 0) + (next[key] ?? 0);
  const order = new Int32Array(keyOf.length);
  for (const line of lines) {
    const key = keyOf[line] ?? 0;
    const place = next[key] ?? 0;
    order[place] = line;
    next[key] = place + 1;
  }
  return order;
}

function chosen<Column extends Uint8Array | Int32Array>(column: Column, order: Int32Array): Column {
  const rows = column.slice();
  for (const [place, line] of order.entries()) rows[place] = column[line] ?? 0;
  return rows as Column;
}
