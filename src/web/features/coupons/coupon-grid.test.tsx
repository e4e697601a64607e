import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Coupon } from '#contract/coupons.ts';
import { renderFor } from '#web/testing/render.tsx';
import { CouponGrid } from './coupon-results.tsx';

const NOW = '2026-01-01T00:00:00.000Z';

const coupon = (id: number): Coupon => ({
  id,
  title: `Coupon ${id}`,
  merchant: 'Maple & Rye Kitchen',
  value: 2_500,
  discountType: 'fixed',
  expiryDate: null,
  regions: [],
  transferable: 'yes',
  imageUrl: null,
  ownerId: 2,
  ownerUsername: 'tom',
  hasCode: true,
  description: '',
  isValueRead: false,
  category: 'food',
  hasNoExpiry: true,
  expiresAt: null,
  terms: null,
  sourceUrl: null,
  isVerified: false,
  isActive: true,
  isWaiting: false,
  isReserved: false,
  isOpenToOffers: true,
  askingPrice: null,
  priceFloor: null,
  codePreview: null,
  qrCodeUrl: null,
  barcodeUrl: null,
  drawnQrCodeUrl: null,
  drawnBarcodeUrl: null,
  isSaved: false,
  createdAt: NOW,
  updatedAt: NOW,
});

it('draws only those tickets anew whose coupons have changed', () => {
  const drawn: number[] = [];
  const renderActions = ({ id }: Coupon) => {
    drawn.push(id);
    return <button type="button">Bid {id}</button>;
  };
  const grid = (coupons: readonly Coupon[]) => (
    <CouponGrid label="Coupons" coupons={coupons} renderActions={renderActions} />
  );
  const [one, two] = [coupon(1), coupon(2)];
  const { rerender } = renderFor(null, grid([one, two]));
  rerender(grid([one, two]));
  expect(drawn).toEqual([1, 2]);
  rerender(grid([one, { ...two, isSaved: true }, coupon(3)]));
  expect(drawn).toEqual([1, 2, 2, 3]);
  screen.getByText('Bid 3');
});
