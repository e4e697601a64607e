import type { Wallet } from '#contract/coupons/wallet-passes.ts';
import { pageConfig } from '#web/lib/page-config.ts';

/** The wallets that the operator has set up and that this device may have. */
export function walletsHere(): Wallet[] {
  const set = pageConfig.wallets();
  const { userAgent } = navigator;
  // Macs hand passes on to a phone; Google's wallet is added to an account, from any browser but those of iPhones.
  const devices: readonly (readonly [Wallet, boolean])[] = [
    ['apple', /iPhone|iPad|Macintosh/.test(userAgent)],
    ['google', !/iPhone|iPad/.test(userAgent)],
  ];
  return devices.filter(([wallet, mayHave]) => mayHave && set.includes(wallet)).map(([wallet]) => wallet);
}
