import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderFor } from '#web/testing/render.tsx';
import { countText, ListPagination } from './list-pagination.tsx';

const common = { pageSize: 6, label: 'Coupons', onChange: () => {} };

afterEach(cleanup);

it('is not there for a single page', () => {
  renderFor(null, <ListPagination {...common} page={1} total={6} totalIsCapped={false} />);
  expect(screen.queryByRole('navigation')).toBeNull();
});

it('leads to every page, named for who cannot see it', () => {
  const onChange = vi.fn();
  renderFor(
    null,
    <ListPagination {...common} page={1} total={13} totalIsCapped={false} onChange={onChange} />,
  );
  expect(screen.getByRole('navigation', { name: 'Coupons pages' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Page 3' }));
  expect(onChange).toHaveBeenLastCalledWith(3);
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  expect(onChange).toHaveBeenLastCalledWith(2);
});

it('says at the last counted page that there is more', () => {
  renderFor(null, <ListPagination {...common} page={34} total={200} totalIsCapped />);
  expect(screen.getByText('There are more. Narrow the search to find them.')).toBeTruthy();
  expect(countText(200, true)).toBe('200+');
  expect(countText(12, false)).toBe('12');
});
