import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { STORED } from '#tests/support/web/coupon-form.tsx';
import { renderFor } from '#tests/support/web/render.tsx';
import { CouponGrid } from './coupon-results.tsx';

const coupon = (id: number): Coupon => ({ ...STORED, id });

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
