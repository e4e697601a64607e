import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { press } from '#tests/support/web/acts.ts';
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

it('shows what one person has listed at once as one ticket, until the rest is asked for', async () => {
  const coupons = [3, 2, 1].map((id) => ({ ...coupon(id), title: `Import ${id}`, ownerUsername: 'sofia' }));
  renderFor(null, <CouponGrid label="Coupons" coupons={coupons} renderActions={() => null} isGrouped />);
  const titles = () => screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'));
  expect(titles()).toEqual(['Import 3']);
  press('Show 2 more from sofia');
  expect(titles()).toEqual(['Import 3', 'Import 2', 'Import 1']);
  expect(screen.queryByRole('button')).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Import 2'));
});
