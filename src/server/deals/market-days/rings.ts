/** A fulfilment, by the places of the wish and the coupons. */
interface Fulfilment {
  readonly wish: number;
  readonly takes: number;
  readonly gives: number | null;
}

/** A wish on a walk, with what it takes. */
interface Met {
  readonly wish: number;
  readonly takes: number;
}

export interface Rings {
  /** The wish takes a coupon, which no other takes. */
  take(wish: number, coupon: number): void;
  /** The wish would give a coupon. @param isGiven whether it does, which no other does then */
  give(wish: number, coupon: number, isGiven: boolean): void;
  giveNothing(wish: number): void;
  /**
   * Chains, which begin with the gifts, and rings, in order: each fulfilment takes what the one before gives. No wish is
   * twice in one.
   */
  close(isGift: Uint8Array): Fulfilment[][];
}

/**
 * Opens the pairing of what wishes take with what they give. A wish that gives several coupons is free to choose which it
 * gives for which, and two wishes may exchange what they give if both would give either: the walk uses this to close rings
 * that are as short as it can make them.
 */
export function openRings(coupons: number, wishes: number): Rings {
  /** The wish that takes each coupon; -1: it stays. */
  const taker = new Int32Array(coupons).fill(-1);
  const wouldGive: number[][] = Array.from({ length: wishes }, () => []);
  const toGive: number[][] = Array.from({ length: wishes }, () => []);
  const endings = new Uint8Array(wishes);
  /** The place on the walk of each wish, and of the wish that gives each coupon; -1: it is not on it. */
  const step = new Int32Array(wishes).fill(-1);
  const givenAt = new Int32Array(coupons).fill(-1);
  const closed: Fulfilment[][] = [];

  /** Takes the best coupon from those that a wish still gives: whose taker was last on the walk, else the first. */
  const chooseGiven = (wish: number): number | undefined => {
    const given = toGive[wish] ?? [];
    const steps = given.map((coupon) => step[taker[coupon] ?? 0] ?? -1);
    return given.splice(steps.indexOf(Math.max(...steps)), 1)[0];
  };

  /**
   * Lets a wish give what a wish on the walk has given, which gets something of its own to give in return: the walk can be
   * closed there. @returns the place of the other one, the last that can; -1: there is none
   */
  const exchange = (wish: number, met: readonly Met[]): number => {
    const own = toGive[wish] ?? [];
    let best = -1;
    let inReturn = -1;
    for (const coupon of wouldGive[wish] ?? []) {
      const place = givenAt[coupon] ?? -1;
      if (place <= best) continue;
      const other = wouldGive[met[place]?.wish ?? -1] ?? [];
      const found = own.findIndex((one) => other.includes(one));
      if (found >= 0) [best, inReturn] = [place, found];
    }
    if (best >= 0) toGive[met[best]?.wish ?? -1]?.push(...own.splice(inReturn, 1));
    return best;
  };

  /** Takes what lies behind a place off the walk. */
  const cut = (met: Met[], place: number) => {
    for (const { wish, takes } of met.splice(place + 1)) {
      step[wish] = -1;
      givenAt[takes] = -1;
    }
  };

  /**
   * Follows the coupons from a wish until nothing is left to give. Whenever it comes to a wish that it has met, the ring
   * between is closed. @param gift what the first wish takes; undefined: the walk is a ring
   */
  const walk = (start: number, gift?: number) => {
    /** The wishes on the walk, with what they take; the first of a ring takes what the last gives. */
    const met: Met[] = [{ wish: start, takes: gift ?? -1 }];
    step[start] = 0;
    for (let last = met.at(-1); last; last = met.at(-1)) {
      const { wish } = last;
      const ends = gift !== undefined && (endings[wish] ?? 0) > 0;
      const given = ends ? undefined : chooseGiven(wish);
      if (given === undefined) {
        if (ends) {
          endings[wish] = (endings[wish] ?? 0) - 1;
          closed.push(fulfilments(met, null));
        }
        cut(met, 0);
        step[start] = -1;
        return;
      }
      const to = taker[given] ?? -1;
      const before = step[to] ?? -1;
      const place = before < 0 ? exchange(to, met) : before;
      if (place < 0) {
        givenAt[given] = met.length - 1;
        step[to] = met.length;
        met.push({ wish: to, takes: given });
        continue;
      }
      closed.push(fulfilments([{ wish: to, takes: given }, ...met.slice(place + 1)], given));
      cut(met, place);
    }
  };

  return {
    take: (wish, coupon) => {
      taker[coupon] = wish;
    },
    give: (wish, coupon, isGiven) => {
      wouldGive[wish]?.push(coupon);
      if (isGiven) toGive[wish]?.push(coupon);
    },
    giveNothing: (wish) => {
      endings[wish] = (endings[wish] ?? 0) + 1;
    },
    close: (isGift) => {
      for (const [coupon, wish] of taker.entries()) if (wish >= 0 && isGift[coupon]) walk(wish, coupon);
      for (const [wish, given] of toGive.entries()) if (given.length > 0) walk(wish);
      return closed;
    },
  };
}

/** Each gives what the next takes, and the last one `gives`. */
function fulfilments(met: readonly Met[], gives: number | null): Fulfilment[] {
  return met.map(({ wish, takes }, place) => ({ wish, takes, gives: met[place + 1]?.takes ?? gives }));
}
