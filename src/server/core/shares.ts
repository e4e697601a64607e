import { networksOf } from './rate-limit.ts';

/** Places that addresses share. */
export interface Shares {
  /** Takes more places for an address, by default one. False: it has its share already, or no place is free. */
  take(ip: string, places?: number): boolean;
  /** Frees places of an address that has taken them. */
  leave(ip: string, places?: number): void;
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
    take(ip, places = 1) {
      const networks = networksOf(ip);
      const share = Math.min(most, free * PART);
      if (networks.some((network, at) => (taken.get(network) ?? 0) >= share * 2 ** at)) return false;
      free -= places;
      for (const network of networks) taken.set(network, (taken.get(network) ?? 0) + places);
      return true;
    },
    leave(ip, places = 1) {
      free += places;
      for (const network of networksOf(ip)) {
        const left = (taken.get(network) ?? 0) - places;
        if (left > 0) taken.set(network, left);
        else taken.delete(network);
      }
    },
  };
}
