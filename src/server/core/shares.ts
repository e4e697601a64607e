import { networksOf } from './rate-limit.ts';

/** Places that addresses share. */
export interface Shares {
  /** Takes one more place for an address. False: the address has its share already, or no place is free. */
  take(ip: string): boolean;
  /** Frees one place of an address that has taken it. */
  leave(ip: string): void;
}

/** Nobody takes more places than this part of those that are free. */
const PART = 1 / 4;

/**
 * Shares out places so that a crowd from one network leaves room for everybody else. What a network may have depends on
 * what is still free, so that each of fifty gets little and the next one still finds a place. A wider network may have
 * twice as much as the one within it.
 * @param most the most places of one address, however many are free
 */
export function createShares(total: number, most = Number.POSITIVE_INFINITY): Shares {
  const taken = new Map<string, number>();
  let free = total;
  return {
    take(ip) {
      const networks = networksOf(ip);
      const share = Math.min(most, free * PART);
      if (networks.some((network, at) => (taken.get(network) ?? 0) >= share * 2 ** at)) return false;
      free -= 1;
      for (const network of networks) taken.set(network, (taken.get(network) ?? 0) + 1);
      return true;
    },
    leave(ip) {
      free += 1;
      for (const network of networksOf(ip)) {
        const left = (taken.get(network) ?? 0) - 1;
        if (left > 0) taken.set(network, left);
        else taken.delete(network);
      }
    },
  };
}
