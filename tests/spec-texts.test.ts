import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/texts.ts';

/**
 * The exact texts that the specification quotes, copied from the documents and not from the code. The tests of the
 * screens check where each is shown.
 */

const ROOT = path.resolve(import.meta.dirname, '..');

describe('the texts of the specification', () => {
  it('are exact for requests (spec/1 section 1)', () => {
    expect(TEXTS.requests).toMatchObject({
      unauthorized: 'Unauthorized: Please log in to continue',
      notFound: 'Resource not found',
      network: 'Network error. Please check your connection and try again.',
    });
  });

  it('are exact for accounts (spec/1 sections 5 and 8)', () => {
    const { accounts } = TEXTS;
    expect(accounts).toMatchObject({
      loginFailed: 'Login failed',
      invalidLogin: 'Invalid username or password',
      loginSuccessful: 'Login successful',
      registrationFailed: 'Registration failed',
      registrationSuccessful: 'Registration successful',
      logoutFailed: 'Logout failed',
      loggedOut: 'Logged out',
      loggedOutText: 'You have been successfully logged out',
      passwordsDiffer: 'Passwords do not match',
    });
    expect(accounts.welcomeBack('olive')).toBe('Welcome back, olive!');
    expect(accounts.welcome('olive')).toContain('olive');
  });

  it('are exact for coupons (spec/1 sections 2, 5 and 8)', () => {
    expect(TEXTS.coupons).toMatchObject({
      valuePositive: 'Value must be a positive number',
      expiryRequired: "Either 'No Expiry' must be selected or a valid future expiry date must be provided",
      loadFailed: 'Error Loading Coupons',
      noneFound: 'No coupons found',
      addFailed: 'Failed to add coupon. Please try again.',
      deleteFailed: 'Failed to delete coupon. Please try again.',
      codeCopied: 'Code copied!',
      codeCopiedText: 'The coupon code has been copied to your clipboard.',
    });
    expect(TEXTS.redeem).toMatchObject({
      text: 'Use one of the following methods to redeem this coupon.',
      qrHint: 'Scan this QR code with your phone to redeem the coupon',
      barcodeHint: 'Scan this barcode at the register to redeem the coupon',
      codeHint: 'Enter this code during checkout to apply the discount',
    });
    expect(TEXTS.saved.failed).toBe('Failed to save coupon. Please try again.');
    expect(TEXTS.coupons.alreadyListed).toBe('This coupon code is already listed');
  });

  it('are exact for validation and uploads (spec/1 section 8, spec/3 sections 5 and 8)', () => {
    const { validation, images } = TEXTS;
    expect(validation).toMatchObject({
      merchantRequired: 'Merchant name is required',
      merchantMissing: 'Please enter a merchant name',
      codeRequired: 'Please enter a coupon code',
      bothRequired: 'Please enter both a coupon code and merchant name to validate.',
      imageRequired: 'Please upload an image first',
      noImage: 'No image uploaded. Please upload a QR code or barcode image first.',
      enterMerchant: 'Enter Merchant Name',
      errorTitle: 'Validation Error',
      failedTitle: 'Validation Failed',
      failed: 'Failed to validate coupon. Please try again.',
      failedShort: 'Failed to validate coupon',
      failedUnexpected: 'An error occurred while validating the coupon',
      invalidTitle: 'Invalid Coupon',
      offlineTitle: 'Offline Validation Mode',
      offlineText:
        "Using offline validation as the API server couldn't be reached. Results may be less accurate.",
      requiredTitle: 'Validation Required',
      requiredText: 'Please validate your coupon code before adding it.',
      missingInformation: 'Missing Information',
      addFailedTitle: 'Error Adding Coupon',
      addFailed: 'There was an error adding this coupon to your collection. Please try again.',
    });
    expect(validation.noCode('barcode')).toBe(
      'No code could be extracted from the barcode. The image may be unclear or not contain a valid code.',
    );
    expect(images).toMatchObject({
      uploadFailedTitle: 'Upload Error',
      qrUploadFailed: 'Failed to upload QR code. Please try again.',
      barcodeUploadFailed: 'Failed to upload barcode. Please try again.',
      qrImageFailed: 'Failed to upload QR code image',
      barcodeImageFailed: 'Failed to upload barcode image',
      extractionFailedTitle: 'Extraction Error',
    });
  });

  it('are exact for exchanges and messages (spec/2 sections 2, 4, 5 and 8)', () => {
    expect(TEXTS.exchanges).toMatchObject({
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
    });
    expect(TEXTS.messages).toMatchObject({
      sent: 'Message sent',
      sendFailed: 'Failed to send message. Please try again.',
      loadFailed: 'Failed to fetch messages',
      noneSelected: 'No exchange selected',
    });
    expect(TEXTS.messages.closed('exchange', 'rejected')).toBe(
      'This exchange has been rejected. You cannot send more messages.',
    );
  });

  it('are exact for bids (spec/1 section 5, spec/2 sections 4, 5 and 8)', () => {
    const { bids, requests } = TEXTS;
    expect(requests).toMatchObject({
      logIn: 'Please Log In',
      logInToBid: 'You must be logged in to place a bid',
    });
    expect(bids).toMatchObject({
      amountRequired: 'Bid amount is required',
      amountPositive: 'Bid amount must be a positive number',
      amountTooSmall: 'Minimum bid amount is $3.00 to avoid high payment processing fees',
      loadFailedTitle: 'Error Loading Bids',
      loadFailedToast: 'There was a problem loading your bids. Please try again.',
      loadFailed: 'Failed to load bids',
      fetchFailed: 'Failed to fetch bids',
      loadFailedHint: 'Please try again later',
      updateFailed: 'Failed to update bid status',
      placeFailedTitle: 'Failed to Place Bid',
      placeFailedUnexpected: 'An unexpected error occurred',
      placeFailed: 'Failed to place bid',
    });
    expect(bids.updated('accepted')).toBe('Bid accepted successfully');
  });

  it('are exact for checkout and its result (spec/2 sections 2, 4, 5 and 8)', () => {
    expect(TEXTS.checkout).toMatchObject({
      invalidBid: 'Invalid bid ID',
      notYours: 'You can only pay for your own bids',
      notAccepted: 'This bid cannot be paid for yet. It must be accepted by the coupon owner first.',
      bidFailed: 'Failed to fetch bid details',
      intentFailed: 'Failed to create payment intent',
      sellerNotReady:
        'The seller needs to complete their payment account setup before receiving payments. Please notify them to visit their profile and complete seller onboarding.',
      error: 'Payment Error',
      setupFailed: 'Failed to set up payment',
      return: 'Return to My Bids',
      unavailable: 'Payment System Unavailable',
      unavailableText: "We're having trouble loading our payment system. Please try again later.",
      failed: 'Payment Failed',
      failedText: 'Please try again with a different payment method',
      unknownError: 'An unknown error occurred',
    });
    expect(TEXTS.checkout.sellerMustComplete).toContain('Seller must complete');
    const { paymentResult } = TEXTS;
    expect(paymentResult).toMatchObject({
      successful: 'Payment Successful',
      successfulText: 'Your payment has been processed successfully!',
      processing: 'Your payment is being processed. The coupon will be available shortly.',
      notSuccessful: 'Your payment was not successful, please try again.',
      noSecret: 'No payment information found in the URL',
      unavailable: 'Our payment system is currently unavailable. Please try again later.',
      notRetrieved: 'Payment information could not be retrieved',
      unexpected: 'An unexpected error occurred',
      failed: 'Payment Failed',
      failedText: 'We were unable to process your payment',
      failedHint: 'There was an issue with your payment. No charges were made.',
    });
    expect(paymentResult.otherStatus('canceled')).toBe(
      'Something went wrong with your payment. Status: canceled',
    );
  });

  it('are exact for notifications and the history (spec/1 section 2, spec/2 sections 2 and 8)', () => {
    expect(TEXTS.notifications).toMatchObject({
      none: 'You have no notifications',
      viewAll: 'View all notifications',
    });
    expect(TEXTS.transactionLogs).toMatchObject({
      loadFailed: 'Error loading transaction logs',
      loadFailedText: 'There was an error loading your transaction history',
      noneFound: 'No transaction logs found',
      noneFoundHint: 'Start exchanging coupons to see your transaction history',
      invalidDate: 'Invalid date',
      noDate: 'Date not available',
    });
  });

  it('are exact for people, reports and admins (spec/1 section 8, spec/3 sections 2, 5 and 8)', () => {
    expect(TEXTS.settings).toMatchObject({
      accessDenied: 'Access Denied – Please log in to access your profile settings.',
      passwordTooShort: 'Password too short',
      passwordTooWeak: 'Password too weak',
      passwordsDiffer: "Passwords don't match",
      passwordRequired: 'Password required',
      passwordChangeFailed: 'Password change failed',
      deletionFailed: 'Deletion failed',
    });
    expect(TEXTS.profile.updateFailed).toBe('Update failed');
    expect(TEXTS.leaderboard).toMatchObject({
      loadFailed: 'Failed to load leaderboard data. Please try again later.',
      points: 'pts',
    });
    expect(TEXTS.reports).toMatchObject({
      descriptionTooShort: 'Please provide at least 10 characters describing the issue',
      noUser: 'No user selected for reporting',
      failed: 'Report Failed',
      nonePending: 'No Pending Reports',
      loadFailed: 'Failed to fetch reports',
      actionFailed: 'Action Failed',
      dismiss: 'Dismiss Report',
      ban: 'Ban User',
    });
    expect(TEXTS.admin).toMatchObject({
      submissionFailed: 'Submission Failed',
      submissionFailedText: 'Failed to submit sitemap to search engines',
    });
    expect(TEXTS.discover).toMatchObject({
      importFailed: 'Import failed',
      importFailedText: 'Failed to import coupon',
      importAllFailedText: 'Failed to import coupons',
    });
    expect(TEXTS.sellers).toMatchObject({
      setupRequired: 'Setup Required',
      actionRequired: 'Action Required',
      active: 'Active',
      onboardingFailed: 'Onboarding Failed',
    });
    expect(TEXTS.notFound).toEqual({
      heading: '404 Page Not Found',
      hint: 'Did you forget to add the page to the router?',
    });
  });

  it('are each used by a screen or by the server', () => {
    const sources = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|contract\/texts\.ts$/.test(file))
      .map((file) => readFileSync(path.join(ROOT, 'src', file), 'utf8'))
      .join('\n');
    const names = Object.entries(TEXTS).flatMap(([area, texts]) =>
      Object.keys(texts).map((name) => ({ area, name })),
    );
    const unused = names.filter(
      // `const { notFound } = TEXTS` and `TEXTS.notFound` are both found by the last step.
      ({ area, name }) => !new RegExp(`\\b${area}\\.${name}\\b|\\bTEXTS\\.${area}\\b(?!\\.)`).test(sources),
    );
    expect(unused).toEqual([]);
  });
});
