/** The exact words that every page loads: those of the shell and of lists of coupons. All others are in `texts.ts`. */
export const SHELL_TEXTS = {
  requests: {
    unauthorized: 'Unauthorized: Please log in to continue',
    notFound: 'Resource not found',
    network: 'Network error. Please check your connection and try again.',
    notLoaded: 'This could not be opened',
    logIn: 'Please Log In',
    logInToBid: 'You must be logged in to place a bid',
    logInToSave: 'You must be logged in to save a coupon',
  },
  coupons: {
    valuePositive: 'Value must be a positive number',
    expiryRequired: "Either 'No Expiry' must be selected or a valid future expiry date must be provided",
    alreadyListed: 'This coupon code is already listed',
    loadFailed: 'Error Loading Coupons',
    noneFound: 'No coupons found',
    addFailed: 'Failed to add coupon. Please try again.',
    deleteFailed: 'Failed to delete coupon. Please try again.',
    codeCopied: 'Code copied!',
    codeCopiedText: 'The coupon code has been copied to your clipboard.',
  },
  saved: {
    failed: 'Failed to save coupon. Please try again.',
  },
  notFound: {
    heading: '404 Page Not Found',
    hint: 'Did you forget to add the page to the router?',
  },
} as const;
