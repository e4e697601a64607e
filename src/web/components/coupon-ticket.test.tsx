import { cleanup, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { CouponTicket, type TicketCoupon } from './coupon-ticket.tsx';

const COUPON: TicketCoupon = {
  id: 5,
  title: 'Dinner for two',
  merchant: 'Maple & Rye Kitchen',
  value: 2_500,
  discountType: 'fixed',
  expiryDate: null,
  expiresAt: null,
  ownerId: 2,
  ownerUsername: 'tom',
  isReserved: false,
  isVerified: false,
  hasCode: true,
  codePreview: null,
};

const text = () => document.querySelector('article')?.textContent ?? '';

describe('the value on the stub', () => {
  it('is in the viewer’s currency, with its ISO code [spec/1 1.11]', () => {
    renderFor(null, <CouponTicket coupon={COUPON} />);
    expect(text()).toContain('$25.00CAD off');
    cleanup();
    renderFor(somebody({ preferredCurrency: 'JPY' }), <CouponTicket coupon={COUPON} />);
    expect(text()).toContain('$25.00CAD offabout ¥2,823 JPY');
  });

  it.each(['card', 'full', 'small', 'mini'] as const)(
    'is as printed for everybody, and converted beside it for who prefers another currency, at size %s',
    (size) => {
      renderFor(somebody({ preferredCurrency: 'MXN' }), <CouponTicket coupon={COUPON} size={size} />);
      expect(text()).toContain('$25.00');
      expect(text()).toContain('about $305.88 MXN');
      cleanup();
      renderFor(somebody({ preferredCurrency: 'CAD' }), <CouponTicket coupon={COUPON} size={size} />);
      expect(text()).not.toContain('about');
    },
  );

  it('is – while nobody has entered one', () => {
    renderFor(somebody({ preferredCurrency: 'MXN' }), <CouponTicket coupon={{ ...COUPON, value: null }} />);
    expect(text()).toContain('–');
    expect(text()).not.toMatch(/ off|about/);
  });

  it('has two decimals and no currency for a percentage [spec/1 9.3]', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, discountType: 'percentage', value: 2_000 }} />);
    expect(text()).toContain('20.00%off');
    expect(text()).not.toContain('CAD');
  });
});

it('names its owner’s score in lists alone: a coupon’s page has it beside the owner', () => {
  for (const size of ['card', 'full'] as const) {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, ownerRating: 8.6 }} size={size} />);
    expect(screen.queryAllByRole('img', { name: 'rated 8.6 of 10' })).toHaveLength(size === 'card' ? 1 : 0);
    cleanup();
  }
});

describe('a public code without a stated value', () => {
  it.each(['card', 'full', 'small', 'mini'] as const)(
    "reads 'Offer' instead of a zero value at size %s",
    (size) => {
      renderFor(null, <CouponTicket coupon={{ ...COUPON, value: 0 }} size={size} />);
      expect(text()).toContain('Offer');
      expect(text()).not.toContain('0.00');
      expect(text()).not.toContain(' off');
    },
  );

  it('refers to the terms on the stub', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, value: 0, discountType: 'percentage' }} />);
    expect(text()).toContain('OfferSee terms');
  });
});

describe('the code', () => {
  it('is a mask for everybody but the owner on a card in a list, even if a preview is present [spec/1 2.9]', () => {
    renderFor(somebody({ id: 1 }), <CouponTicket coupon={{ ...COUPON, codePreview: 'SECRET' }} />);
    expect(screen.getByRole('img', { name: 'Codes are hidden for security' }).textContent).toBe('••••••••');
    expect(text()).not.toContain('SECRET');
  });

  it('is a mask with the reason for it on the coupon’s page [spec/1 2.9]', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, codePreview: 'SECRET' }} size="full" />);
    expect(text()).toContain('••••••••');
    expect(text()).toContain('Codes are hidden for security');
    expect(screen.queryByRole('img')).toBeNull();
    expect(text()).not.toContain('SECRET');
  });

  it('shows the owner a preview [spec/1 2.9]', () => {
    renderFor(somebody({ id: 2 }), <CouponTicket coupon={{ ...COUPON, codePreview: 'MAPLE-2026' }} />);
    expect(text()).toContain('MAPLE-2026');
    expect(text()).not.toContain('hidden');
    expect(screen.queryByRole('img')).toBeNull();
  });

  it('shows the owner a note instead of a preview if there is only a picture', () => {
    renderFor(somebody({ id: 2 }), <CouponTicket coupon={COUPON} />);
    expect(text()).toContain('Code in a picture');
  });

  it('has no mask if the coupon has no code', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, hasCode: false }} />);
    expect(text()).not.toContain('••••••••');
  });
});

describe('the picture of the offer', () => {
  it('is on the stub in every size, with its room reserved, and loaded late except on its own page', () => {
    for (const size of ['full', 'card', 'small', 'mini'] as const) {
      const imageUrl = `/api/pictures/${'x'.repeat(22)}-960x640/960.webp`;
      renderFor(null, <CouponTicket coupon={{ ...COUPON, imageUrl }} size={size} />);
      const image = document.querySelector('[data-stub] img');
      expect(image?.getAttribute('width')).toBe('960');
      expect(image?.getAttribute('height')).toBe('640');
      expect(image?.getAttribute('loading')).toBe(size === 'full' ? 'eager' : 'lazy');
      expect(document.querySelector('source')?.getAttribute('srcset')).toContain('/240.avif 240w');
      cleanup();
    }
  });

  it('gives way to the merchant’s initials where there is none', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, imageUrl: null }} />);
    expect(document.querySelector('img')).toBeNull();
    expect(text()).toContain('MR');
  });
});

describe('a ticket', () => {
  it('shows expiry, reservation and verification as badges', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, isReserved: true, isVerified: true }} />);
    for (const badge of ['No expiry', 'Reserved', 'Verified']) expect(text()).toContain(badge);
  });

  it('has a title in the direction of its own words [decisions 6.0.5]', () => {
    renderFor(null, <CouponTicket coupon={{ ...COUPON, title: 'خصم على القهوة' }} />);
    expect(screen.getByRole('heading').dir).toBe('auto');
  });

  it('links to the coupon’s page, except on that page', () => {
    renderFor(null, <CouponTicket coupon={COUPON} />);
    expect(screen.getByRole('link', { name: 'Dinner for two' }).getAttribute('href')).toBe('/coupons/5');
    cleanup();
    renderFor(null, <CouponTicket coupon={COUPON} size="full" titleOrder={1} isLinked={false} />);
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      `/merchants/${encodeURIComponent(COUPON.merchant)}`,
    ]);
    expect(screen.getByRole('heading', { level: 1, name: 'Dinner for two' })).toBeTruthy();
  });

  it('shows neither owner nor code in a deal', () => {
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
