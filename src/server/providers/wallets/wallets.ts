import { t } from '@lingui/core/macro';
import type { FoundCode } from '#contract/coupons/images.ts';

/** What a pass shows of its coupon. */
export interface PassContent {
  readonly title: string;
  readonly merchant: string;
  /** Such as '20% off'; null: not stated. */
  readonly discount: string | null;
  /** In words, where the coupon is valid; null: it does not expire. */
  readonly lastDay: string | null;
  /** The end of the last day there. */
  readonly expiresAt: Date | null;
  readonly terms: string | null;
  /** The coupon's page. */
  readonly url: string;
  /** The code for people. */
  readonly code: string;
  readonly pin: string | null;
  /** The symbol that the merchant has issued; null: it is not known. */
  readonly symbol: Pick<FoundCode, 'format' | 'text' | 'isText'> | null;
}

/** A pass in somebody's wallet, known there by its serial. */
export interface Pass {
  readonly serial: string;
  /** Null: it is void, and shows nothing of a coupon. */
  readonly content: PassContent | null;
}

/** PNGs, for screens with one, two and three pixels a point. */
interface ApplePictures {
  readonly icons: readonly Uint8Array[];
  readonly logos: readonly Uint8Array[];
  /** A picture of the symbol, for three pixels a point; null: the pass has none. */
  readonly strip: Uint8Array | null;
}

export interface AppleWallet {
  readonly passType: string;
  /** Whether the wallet draws this symbol with its bytes itself. */
  draws(symbol: PassContent['symbol']): boolean;
  /**
   * Makes and signs a pass (.pkpass).
   * @param token by which the wallet asks for later versions of it
   */
  makePass(pass: Pass, given: { readonly token: string; readonly pictures: ApplePictures }): Promise<Buffer>;
  /**
   * Lets the devices with these push tokens ask for changes.
   * @returns the tokens that no device has any more
   * @throws ServiceRefusal if any device could not be told
   */
  push(tokens: readonly string[]): Promise<string[]>;
}

export interface GoogleWallet {
  /** Makes or replaces the pass at Google. @returns the address where its holder adds it @throws ServiceRefusal */
  save(pass: Pass): Promise<string>;
  /** Replaces the pass at Google. @returns false if Google has none @throws ServiceRefusal */
  replace(pass: Pass): Promise<boolean>;
}

/** Each is null when it is not set up. */
export interface Wallets {
  readonly apple: AppleWallet | null;
  readonly google: GoogleWallet | null;
}

/** What void passes say. */
export const voidText = () =>
  t`This coupon is no longer yours to use: it was given away, sold, used or deleted. You can remove this pass.`;
