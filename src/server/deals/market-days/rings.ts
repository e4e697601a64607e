/** A fulfilment, by the places of the wish and the coupons. */
interface Fulfilment {
  readonly wish: number;
  readonly takes: number;
  readonly gives: number | null;
}

export interface Rings {
  /** The wish takes a coupon, which no other takes. */
  take(wish: number, coupon: number): void;
  /** The wish gives a coupon, which no other gives. */
  give(wish: number, coupon: number): void;
  giveNothing(wish: number): void;
  /**
   * Chains, which begin with the gifts, and rings, in order: each fulfilment takes what the one before gives. No wish is
   * twice in one.
   */
  close(isGift: Uint8Array): Fulfilment[][];
}

/**
 * Opens the pairing of what wishes take with what they give. A wish that gives several coupons is free to choose which it
 * gives for which: the walk prefers what closes the shortest ring.
 */
export function openRings(coupons: number, wishes: number): Rings {
  /** The wish that takes each coupon; -1: it stays. */
  const taker = new Int32Array(coupons).fill(-1);
  const toGive: number[][] = Array.from({ length: wishes }, () => []);
  const endings = new Uint8Array(wishes);
  /** The place of each wish on the walk; -1: it is not on it. */
  const step = new Int32Array(wishes).fill(-1);
  const closed: Fulfilment[][] = [];

  /** Takes the best coupon from those that a wish still gives: whose taker was last on the walk, else the first. */
  const chooseGiven = (wish: number): number | undefined => {
    const given = toGive[wish] ?? [];
    const steps = given.map((coupon) => step[taker[coupon] ?? 0] ?? -1);
    return given.splice(steps.indexOf(Math.max(...steps)), 1)[0];
  };

  /**
   * Follows the coupons from a wish until nothing is left to give. Whenever it comes to a wish that it has met, the ring
   * between is closed. @param gift what the first wish takes; undefined: the walk is a ring
   */
  const walk = (start: number, gift?: number) => {
    /** The wishes on the walk, with what they take; the first of a ring takes what the last gives. */
    const met = [{ wish: start, takes: gift ?? -1 }];
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
        for (const { wish: left } of met) step[left] = -1;
        return;
      }
      const to = taker[given] ?? -1;
      const back = step[to] ?? -1;
      if (back < 0) {
        step[to] = met.length;
        met.push({ wish: to, takes: given });
        continue;
      }
      const ring = met.slice(back);
      ring[0] = { wish: to, takes: given };
      closed.push(fulfilments(ring, given));
      for (const { wish: left } of met.splice(back + 1)) step[left] = -1;
    }
  };

  return {
    take: (wish, coupon) => {
      taker[coupon] = wish;
    },
    give: (wish, coupon) => void toGive[wish]?.push(coupon),
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
function fulfilments(
  met: readonly { readonly wish: number; readonly takes: number }[],
  gives: number | null,
): Fulfilment[] {
  return met.map(({ wish, takes }, place) => ({ wish, takes, gives: met[place + 1]?.takes ?? gives }));
}
