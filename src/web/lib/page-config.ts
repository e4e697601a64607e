import { pageSetting } from '#contract/base/page-setting.ts';

/**
 * What the server says of this installation in the page's head. The fees and the days of the guarantee are read beside their
 * schemas: every page loads this file, and none of them loads zod for it.
 */
export const pageConfig = {
  /** For inline styles and scripts by the page's CSP; '' where there is none. */
  nonce: () => pageSetting('csp-nonce') ?? '',
  /** Where people ask for help; null where the operator has set no address. */
  supportEmail: () => pageSetting('support-email') ?? null,
  /** Whether people can forward vouchers by email. */
  takesMail: () => pageSetting('inbound-mail') !== undefined,
  /** The name of the provider that people sign in with; null where none is set up. */
  identityProvider: () => pageSetting('identity-provider') ?? null,
  /** The wallets that the operator has set up. */
  wallets: () => pageSetting('wallets')?.split(' ') ?? [],
};
