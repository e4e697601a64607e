import { cleanup, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderFor, somebody } from '#web/testing/render.tsx';
import { CouponTicket, type TicketCoupon } from './coupon-ticket.tsx';

const COUPON: TicketCoupon = {
  id: 5,
  title: 'Dinner for two',
  merchant: 'Maple & Rye Kitchen',
  value: 2_500,
  discountType: 'fixed',
  expiryDate: null,
  ownerId: 2,
  ownerUsername: 'tom',
  isReserved: false,
  isVerified: false,
  hasCode: true,
  codePreview: null,
};

const text = () => document.querySelector('article')?.textContent ?? '';

describe('the value on the stub', () => {
  it('is in the viewer’s currency, with its ISO code', () => {
    renderFor(null, <CouponTicket coupon={COUPON} />);
    expect(text()).toContain('$25.00CAD off');
    cleanup();
    renderFor(somebody({ preferredCurrency: 'JPY' }), <CouponTicket coupon={COUPON} />);
    expect(text()).toContain('¥2,823JPY off');
  });

  it('of a percentage has two decimals and no currency', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, discountType: 'percentage', value: 2_000 }} />);
    expect(text()).toContain('20.00%off');
    expect(text()).not.toContain('CAD');
  });
});

describe('a public code whose worth nobody has stated', () => {
  it.each(['card', 'full', 'small', 'mini'] as const)(
    'is an offer, and not worth nothing, at size %s',
    (size) => {
      renderFor(null, <CouponTicket coupon={{ ...COUPON, value: 0 }} size={size} />);
      expect(text()).toContain('Offer');
      expect(text()).not.toContain('0.00');
      expect(text()).not.toContain(' off');
    },
  );

  it('sends to its terms from the stub', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, value: 0, discountType: 'percentage' }} />);
    expect(text()).toContain('OfferSee terms');
  });
});

describe('the code', () => {
  it('is a mask for everybody else, even where a preview came along by mistake', () => {
    renderFor(somebody({ id: 1 }), <CouponTicket coupon={{ ...COUPON, codePreview: 'SECRET' }} />);
    expect(text()).toContain('••••••••');
    expect(text()).toContain('Codes are hidden for security');
    expect(text()).not.toContain('SECRET');
  });

  it('shows its owner the preview', () => {
    renderFor(somebody({ id: 2 }), <CouponTicket coupon={{ ...COUPON, codePreview: 'MAPLE-2026' }} />);
    expect(text()).toContain('MAPLE-2026');
    expect(text()).not.toContain('hidden');
  });

  it('of which there is only a picture has no preview', () => {
    renderFor(somebody({ id: 2 }), <CouponTicket coupon={COUPON} />);
    expect(text()).toContain('Code as a picture');
  });

  it('is not promised where there is none', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, hasCode: false }} />);
    expect(text()).not.toContain('••••••••');
  });
});

describe('what is known of it', () => {
  it('stands in badges', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, isReserved: true, isVerified: true }} />);
    for (const badge of ['No expiry', 'Reserved', 'Verified']) expect(text()).toContain(badge);
  });

  it('leads to its page, unless it stands there already', () => {
    renderFor(null, <CouponTicket coupon={COUPON} />);
    expect(screen.getByRole('link', { name: 'Dinner for two' }).getAttribute('href')).toBe('/coupons/5');
    cleanup();
    renderFor(null, <CouponTicket coupon={COUPON} size="full" titleOrder={1} isLinked={false} />);
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.getByRole('heading', { level: 1, name: 'Dinner for two' })).toBeTruthy();
  });

  it('is less in a deal, which knows neither owner’s name nor code', () => {
    const {
      ownerUsername: _o,
      hasCode: _h,
      codePreview: _c,
      isReserved: _r,
      isVerified: _v,
      ...summary
    } = COUPON;
    renderFor(null, <CouponTicket coupon={summary} size="small" />);
    expect(text()).toContain('Maple & Rye Kitchen');
    expect(text()).not.toContain('from');
    expect(text()).not.toContain('••••••••');
  });
});
