import { t } from '@lingui/core/macro';
/** The exact words that every page loads: those of the shell and of lists of coupons. All others are in `texts.ts`. */
export const SHELL_TEXTS = {
  requests: {
    unauthorized: () => t`Unauthorized: Please log in to continue`,
    notFound: () => t`Resource not found`,
    network: () => t`Network error. Please check your connection and try again.`,
    notLoaded: () => t`This could not be opened`,
    logIn: () => t`Please Log In`,
    logInToBid: () => t`You must be logged in to place a bid`,
    logInToSave: () => t`You must be logged in to save a coupon`,
  },
  coupons: {
    valuePositive: () => t`Value must be a positive number`,
    expiryRequired: () =>
      t`Either 'No Expiry' must be selected or a valid future expiry date must be provided`,
    alreadyListed: () => t`This coupon code is already listed`,
    loadFailed: () => t`Error Loading Coupons`,
    noneFound: () => t`No coupons found`,
    addFailed: () => t`Failed to add coupon. Please try again.`,
    deleteFailed: () => t`Failed to delete coupon. Please try again.`,
    codeCopied: () => t`Code copied!`,
    codeCopiedText: () => t`The coupon code has been copied to your clipboard.`,
  },
  saved: {
    failed: () => t`Failed to save coupon. Please try again.`,
  },
  notFound: {
    heading: () => t`404 Page Not Found`,
    hint: () => t`Did you forget to add the page to the router?`,
  },
} as const;
