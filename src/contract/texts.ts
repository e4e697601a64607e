/**
 * The product's exact words (spec/1 section 8, spec/2 section 8), said by server and browser alike. A text
 * that only one screen says, and no document fixes, lives with that screen.
 */
export const TEXTS = {
  requests: {
    unauthorized: 'Unauthorized: Please log in to continue',
    notFound: 'Resource not found',
    network: 'Network error. Please check your connection and try again.',
  },
  accounts: {
    loginFailed: 'Login failed',
    invalidLogin: 'Invalid username or password',
    loginSuccessful: 'Login successful',
    welcomeBack: (username: string) => `Welcome back, ${username}!`,
    registrationFailed: 'Registration failed',
    registrationSuccessful: 'Registration successful',
    welcome: (username: string) => `Welcome to ClipSwap, ${username}!`,
    logoutFailed: 'Logout failed',
    loggedOut: 'Logged out',
    loggedOutText: 'You have been successfully logged out',
    passwordsDiffer: 'Passwords do not match',
    usernameTaken: 'This username is already taken',
    emailTaken: 'This e-mail address is already registered',
    commonPassword: 'This password is too common. Choose one that is harder to guess.',
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
  exchanges: {
    chooseCoupon: 'Please select a coupon to exchange',
    noCouponsToOffer: "You don't have any coupons to exchange.",
    alreadySubmitted: 'You have already submitted an exchange request for this coupon',
    alreadyExists: 'Exchange Request Already Exists',
    proposeFailed: 'Failed to send exchange request',
    updated: 'Exchange updated',
    updateFailed: 'Failed to update exchange status. Please try again.',
    loadFailed: 'Error Loading Exchanges',
    noneFound: 'No exchanges found',
    noneMatch: 'No exchanges match your current filters.',
    noneYet: "You don't have any exchange requests yet. Browse available coupons to start exchanging!",
    reserved: 'This coupon is reserved by another deal',
  },
  notifications: {
    none: 'You have no notifications',
    viewAll: 'View all notifications',
  },
  transactionLogs: {
    loadFailed: 'Error loading transaction logs',
    loadFailedText: 'There was an error loading your transaction history',
    noneFound: 'No transaction logs found',
    noneFoundHint: 'Start exchanging coupons to see your transaction history',
    invalidDate: 'Invalid date',
    noDate: 'Date not available',
  },
  notFound: {
    heading: '404 Page Not Found',
    hint: 'Did you forget to add the page to the router?',
  },
} as const;
