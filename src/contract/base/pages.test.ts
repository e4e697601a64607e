import { describe, expect, it } from 'vitest';
import { findWebPage, paths, WEB_PAGES } from './pages.ts';

describe('links', () => {
  // Old mails contain these links, so they must work forever.
  it.each([
    [paths.home, '/'],
    [paths.myCoupons, '/my-coupons'],
    [paths.coupon(5), '/coupons/5'],
    [paths.exchangeFor(5), '/coupons/5?exchange=1'],
    [paths.bidFor(5), '/coupons/5?bid=1'],
    [paths.buyFor(5), '/coupons/5?buy=1'],
    [paths.validateFor(5), '/coupons/5?validate=1'],
    [paths.user(5), '/users/5'],
    [paths.checkout(5), '/checkout/5'],
    [paths.exchange(5), '/exchanges?exchange=5'],
    [paths.requestedExchanges, '/exchanges?tab=requested'],
    [paths.bid(5), '/my-bids?bid=5'],
    [paths.answerClaim('bid', 5, 7), '/my-bids?bid=5&answer=7'],
    [paths.answerClaim('exchange', 5, 7), '/exchanges?exchange=5&answer=7'],
    [paths.thread('exchange', 5), '/messages?exchange=5'],
    [paths.thread('bid', 5), '/messages?bid=5'],
    [paths.addCouponAtHome, '/?add=1'],
    [paths.addCoupon, '/my-coupons?add=1'],
    [paths.addShared, '/my-coupons?add=shared'],
    [paths.addManyShared, '/add-coupons?shared=1'],
    [paths.addManyScanned, '/add-coupons?scanned=1'],
    [paths.savedCoupons, '/my-coupons?tab=saved'],
    [paths.myCoupon(5), '/my-coupons?coupon=5'],
    [paths.myCouponsOf('Bean & Co'), '/my-coupons?q=Bean+%26+Co'],
    [paths.register, '/auth?tab=register'],
    [paths.authFrom('/coupons/5?bid=1'), '/auth?from=%2Fcoupons%2F5%3Fbid%3D1'],
    [paths.registerFrom('/coupons/5?bid=1'), '/auth?tab=register&from=%2Fcoupons%2F5%3Fbid%3D1'],
    [paths.mailed('resetPassword', 'a-b_c'), '/reset-password?token=a-b_c'],
    [paths.mailed('verifyEmail', 'a-b_c'), '/verify-email?token=a-b_c'],
    [paths.mailed('verifyEmail', 'a-b_c', '/coupons/5'), '/verify-email?token=a-b_c&from=%2Fcoupons%2F5'],
    [paths.mailed('defend', '5.6.a-b_c'), '/defend?token=5.6.a-b_c'],
    [paths.mailed('notMe', 'a-b_c'), '/not-me?token=a-b_c'],
    [paths.mailed('unsubscribe', 'a.b'), '/unsubscribe?token=a.b'],
    [paths.paymentResult(5), '/payment-complete?bid=5'],
    [paths.paymentResult(5, { paypal: 1 }), '/payment-complete?bid=5&paypal=1'],
    [
      paths.paymentResult(5, { payment_intent_client_secret: 'pi_secret' }),
      '/payment-complete?bid=5&payment_intent_client_secret=pi_secret',
    ],
    [paths.sellerReturn('returned', 'stripe'), '/seller-onboarding?returned=stripe'],
    [paths.sellerReturn('refresh', 'paypal'), '/seller-onboarding?refresh=paypal'],
  ])('%s has the path %s', (link, address) => expect(link).toBe(address));
});

describe('finding the page at a path', () => {
  it.each(WEB_PAGES)('finds $path in any case and with slashes at the end', (page) => {
    const path = page.path.replace(/:\w+/, '5');
    const parameter = page.path.includes(':') ? '5' : null;
    expect(findWebPage(path)).toEqual({ page, parameter });
    expect(findWebPage(`${path.toUpperCase()}/`)).toEqual({ page, parameter });
  });

  it('finds nothing at an unknown path', () => {
    expect(findWebPage('/coupons')).toBeNull();
    expect(findWebPage('/coupons/5/6')).toBeNull();
  });
});
