import type { WalletSettings } from '#server/core/provider-settings.ts';
import { TIMEOUT_MS } from '../service-calls.ts';
import { openAppleWallet } from './apple.ts';
import { openGoogleWallet } from './google.ts';
import type { Wallets } from './wallets.ts';

/** The addresses of Apple and Google; tests replace them. */
export interface WalletEndpoints {
  readonly applePush: string;
  /** Who vouches for the address of `applePush`; undefined: the authorities that everybody trusts. */
  readonly applePushAuthority?: string;
  readonly googleToken: string;
  readonly google: string;
}

const ENDPOINTS: WalletEndpoints = {
  applePush: 'https://api.push.apple.com',
  googleToken: 'https://oauth2.googleapis.com/token',
  google: 'https://walletobjects.googleapis.com',
};

/**
 * Opens the wallets that are set up.
 * @param publicUrl without a trailing slash
 * @throws Error when one of their files is unusable, naming its setting
 */
export function openWallets(
  { apple, google }: WalletSettings,
  publicUrl: string,
  endpoints: WalletEndpoints = ENDPOINTS,
  timeoutMs = TIMEOUT_MS,
): Wallets {
  return {
    apple: apple && openAppleWallet(apple, { publicUrl, endpoints, timeoutMs }),
    google: google && openGoogleWallet(google, { publicUrl, endpoints, timeoutMs }),
  };
}
