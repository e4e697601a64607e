import { select, t } from '@lingui/core/macro';
import type { DealStatus, DealType } from '#contract/deals/deals.ts';
import { marketName } from './market.ts';
import { SHELL_TEXTS } from './shell-texts.ts';
import { quote } from './words.ts';

/**
 * The product's exact words (spec/1 section 8, spec/2 section 8), for server and browser. A text that is on one
 * screen only, and that no document fixes, is in that screen's file.
 */
export const TEXTS = {
  ...SHELL_TEXTS,
  accounts: {
    loginFailed: () => t`Login failed`,
    invalidLogin: () => t`Invalid username or password`,
    passkeyRefused: () => t`This passkey did not work. Try again, or use your password.`,
    loginSuccessful: () => t`Login successful`,
    welcomeBack: (username: string) => t`Welcome back, ${username}!`,
    registrationFailed: () => t`Registration failed`,
    registrationSuccessful: () => t`Registration successful`,
    welcome: (username: string) => t`Welcome to ${{ market: marketName() }}, ${username}!`,
    logoutFailed: () => t`Logout failed`,
    loggedOut: () => t`Logged out`,
    loggedOutText: () => t`You have been successfully logged out`,
    passwordsDiffer: () => t`Passwords do not match`,
    usernameTaken: () => t`This username is already taken`,
    usernameOfficial: () => t`This name looks official. Choose another.`,
    emailTaken: () => t`This email address is already registered`,
    commonPassword: () => t`This password is too common. Choose one that is harder to guess.`,
  },
  validation: {
    merchantRequired: () => t`Merchant name is required`,
    merchantMissing: () => t`Please enter a merchant name`,
    codeRequired: () => t`Please enter a coupon code`,
    bothRequired: () => t`Please enter both a coupon code and merchant name to validate.`,
    imageRequired: () => t`Please upload an image first`,
    noImage: () => t`No image uploaded. Please upload a QR code or barcode image first.`,
    noCode: (kind: 'qrcode' | 'barcode') =>
      select(kind, {
        barcode:
          'No code could be extracted from the barcode. The image may be unclear or not contain a valid code.',
        other:
          'No code could be extracted from the QR code. The image may be unclear or not contain a valid code.',
      }),
    enterMerchant: () => t`Enter Merchant Name`,
    confirmationRequired: () => t`Please confirm that you may check this code`,
    errorTitle: () => t`Validation Error`,
    failedTitle: () => t`Validation Failed`,
    failed: () => t`Failed to validate coupon. Please try again.`,
    failedShort: () => t`Failed to validate coupon`,
    failedUnexpected: () => t`An error occurred while validating the coupon`,
    invalidTitle: () => t`Invalid Coupon`,
    offlineTitle: () => t`Offline Validation Mode`,
    offlineText: () =>
      t`Using offline validation as the API server couldn't be reached. Results may be less accurate.`,
    requiredTitle: () => t`Validation Required`,
    requiredText: () => t`Please validate your coupon code before adding it.`,
    missingInformation: () => t`Missing Information`,
    addFailedTitle: () => t`Error Adding Coupon`,
    addFailed: () => t`There was an error adding this coupon to your collection. Please try again.`,
  },
  images: {
    uploadFailedTitle: () => t`Upload Error`,
    qrUploadFailed: () => t`Failed to upload QR code. Please try again.`,
    barcodeUploadFailed: () => t`Failed to upload barcode. Please try again.`,
    qrImageFailed: () => t`Failed to upload QR code image`,
    barcodeImageFailed: () => t`Failed to upload barcode image`,
    extractionFailedTitle: () => t`Extraction Error`,
  },
  redeem: {
    text: () => t`Use one of the following methods to redeem this coupon.`,
    qrHint: () => t`Scan this QR code with your phone to redeem the coupon`,
    barcodeHint: () => t`Scan this barcode at the register to redeem the coupon`,
    codeHint: () => t`Enter this code during checkout to apply the discount`,
    qrMissing: () => t`QR code not available`,
    barcodeMissing: () => t`Barcode not available`,
    drawn: () => t`Made from the code; the merchant may not accept it`,
  },
  discover: {
    importFailed: () => t`Import failed`,
    importFailedText: () => t`Failed to import coupon`,
    importAllFailedText: () => t`Failed to import coupons`,
  },
  exchanges: {
    chooseCoupon: () => t`Please select a coupon to exchange`,
    noCouponsToOffer: () => t`You don't have any coupons to exchange.`,
    alreadySubmitted: () => t`You have already submitted an exchange request for this coupon`,
    alreadyExists: () => t`Exchange Request Already Exists`,
    proposeFailed: () => t`Failed to send exchange request`,
    updated: () => t`Exchange updated`,
    updateFailed: () => t`Failed to update exchange status. Please try again.`,
    loadFailed: () => t`Error Loading Exchanges`,
    noneFound: () => t`No exchanges found`,
    noneMatch: () => t`No exchanges match your current filters.`,
    noneYet: () => t`You don't have any exchange requests yet. Browse available coupons to start exchanging!`,
    reserved: () => t`This coupon is reserved by another deal`,
    unavailable: (title: string) => t`${quote(title)} is no longer available`,
  },
  bids: {
    amountRequired: () => t`Bid amount is required`,
    amountPositive: () => t`Bid amount must be a positive number`,
    amountTooSmall: (least: string) =>
      t`Minimum bid amount is ${least} to avoid high payment processing fees`,
    amountTooLarge: (most: string) => t`Maximum bid amount is ${most}`,
    alreadyPending: () => t`You already have a pending bid on this coupon`,
    confirmNoCode: () => t`Please confirm that you understand this`,
    noCode: () => t`This coupon has no code on file. Please confirm that you still want to bid on it.`,
    loadFailedTitle: () => t`Error Loading Bids`,
    loadFailedToast: () => t`There was a problem loading your bids. Please try again.`,
    loadFailed: () => t`Failed to load bids`,
    loadFailedHint: () => t`Please try again later`,
    fetchFailed: () => t`Failed to fetch bids`,
    updated: (status: DealStatus) =>
      select(status, {
        accepted: 'Bid accepted successfully',
        rejected: 'Bid rejected successfully',
        cancelled: 'Bid cancelled successfully',
        other: 'Bid completed successfully',
      }),
    updateFailed: () => t`Failed to update bid status`,
    placeFailedTitle: () => t`Failed to Place Bid`,
    placeFailedUnexpected: () => t`An unexpected error occurred`,
    placeFailed: () => t`Failed to place bid`,
  },
  checkout: {
    invalidBid: () => t`Invalid bid ID`,
    notYours: () => t`You can only pay for your own bids`,
    notAccepted: () => t`This bid cannot be paid for yet. It must be accepted by the coupon owner first.`,
    bidFailed: () => t`Failed to fetch bid details`,
    intentFailed: () => t`Failed to create payment intent`,
    /** The server's message; the screen recognizes it by its first words. */
    sellerMustComplete: () => t`Seller must complete their payment account setup before receiving payments`,
    sellerNotReady: () =>
      t`The seller needs to complete their payment account setup before receiving payments. Please notify them to visit their profile and complete seller onboarding.`,
    error: () => t`Payment Error`,
    setupFailed: () => t`Failed to set up payment`,
    return: () => t`Return to My Bids`,
    unavailable: () => t`Payment System Unavailable`,
    unavailableText: () => t`We're having trouble loading our payment system. Please try again later.`,
    failed: () => t`Payment Failed`,
    failedText: () => t`Please try again with a different payment method`,
    unknownError: () => t`An unknown error occurred`,
  },
  paymentResult: {
    successful: () => t`Payment Successful`,
    successfulText: () => t`Your payment has been processed successfully!`,
    processing: () => t`Your payment is being processed. The coupon will be available shortly.`,
    notSuccessful: () => t`Your payment was not successful, please try again.`,
    otherStatus: (status: string) => t`Something went wrong with your payment. Status: ${status}`,
    noSecret: () => t`No payment information found in the URL`,
    unavailable: () => t`Our payment system is currently unavailable. Please try again later.`,
    notRetrieved: () => t`Payment information could not be retrieved`,
    unexpected: () => t`An unexpected error occurred`,
    failed: () => t`Payment Failed`,
    failedText: () => t`We were unable to process your payment`,
    failedHint: () => t`There was an issue with your payment. No charges were made.`,
  },
  sellers: {
    setupRequired: () => t`Setup Required`,
    actionRequired: () => t`Action Required`,
    active: () => t({ context: 'account', message: 'Active' }),
    onboardingFailed: () => t`Onboarding Failed`,
  },
  notifications: {
    none: () => t`You have no notifications`,
    viewAll: () => t`View all notifications`,
  },
  transactionLogs: {
    loadFailed: () => t`Error loading transaction logs`,
    loadFailedText: () => t`There was an error loading your transaction history`,
    noneFound: () => t`No transaction logs found`,
    noneFoundHint: () => t`Start exchanging coupons to see your transaction history`,
    invalidDate: () => t`Invalid date`,
    noDate: () => t`Date not available`,
  },
  messages: {
    empty: () => t`Write a message first`,
    sent: () => t`Message sent`,
    sendFailed: () => t`Failed to send message. Please try again.`,
    loadFailed: () => t`Failed to fetch messages`,
    noneSelected: () => t`No exchange selected`,
    closed: (kind: DealType, status: DealStatus) =>
      kind === 'exchange'
        ? select(status, {
            cancelled: 'This exchange has been cancelled. You cannot send more messages.',
            other: 'This exchange has been rejected. You cannot send more messages.',
          })
        : select(status, {
            cancelled: 'This bid has been cancelled. You cannot send more messages.',
            other: 'This bid has been rejected. You cannot send more messages.',
          }),
    restricted: (status: string) =>
      select(status, {
        banned: 'Your account is banned. You can only write in a deal that has an open claim.',
        other: 'Your account is suspended. You can only write in a deal that has an open claim.',
      }),
  },
  profile: {
    updateFailed: () => t`Update failed`,
  },
  settings: {
    accessDenied: () => t`Access Denied – Please log in to access your profile settings.`,
    passwordTooShort: () => t`Password too short`,
    passwordTooWeak: () => t`Password too weak`,
    passwordsDiffer: () => t`Passwords don't match`,
    passwordRequired: () => t`Password required`,
    wrongPassword: () => t`This is not your current password`,
    passwordChangeFailed: () => t`Password change failed`,
    deletionFailed: () => t`Deletion failed`,
    resetRequested: () =>
      t`If there is an account with this email address, we have sent a link to it. The link works for one hour.`,
    linkSpent: () => t`This link has been used or has expired. Ask for a new one.`,
    defenceOver: () => t`The link has expired, or your account is no longer banned.`,
    linkDone: () => t`You have already used this link.`,
  },
  leaderboard: {
    loadFailed: () => t`Failed to load leaderboard data. Please try again later.`,
  },
  reports: {
    descriptionTooShort: () => t`Please provide at least 10 characters describing the issue`,
    noUser: () => t`No user selected for reporting`,
    failed: () => t`Report Failed`,
    sent: () => t`Thank you. A moderator will look at your report.`,
    alreadyReported: () => t`You have already reported this person. A moderator will look at your report.`,
    nonePending: () => t`No Pending Reports`,
    loadFailed: () => t`Failed to fetch reports`,
    actionFailed: () => t`Action Failed`,
    dismiss: () => t`Dismiss Report`,
    ban: () => t`Ban User`,
  },
  admin: {
    submissionFailed: () => t`Submission Failed`,
    submissionFailedText: () => t`Failed to submit sitemap to search engines`,
  },
} as const;
