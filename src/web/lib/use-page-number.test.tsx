import { act, renderHook } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { expect, it } from 'vitest';
import { usePageNumber } from './use-page-number.ts';

function at(address: string) {
  return renderHook(
    () => {
      const [page, setPage] = usePageNumber(20);
      return { page, setPage, search: useLocation().search };
    },
    {
      wrapper: ({ children }) => <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>,
    },
  ).result;
}

it.each([
  ['/', 1],
  ['/?page=3', 3],
  ['/?page=10', 10],
  ['/?page=11', 1],
  ['/?page=0', 1],
  ['/?page=1.5', 1],
  ['/?page=two', 1],
])('%s is page %i of 200 rows in twenties', (address, page) => expect(at(address).current.page).toBe(page));

it('stands in the address, beside what else is there', () => {
  const result = at('/?tab=all');
  act(() => result.current.setPage(2));
  expect(result.current).toMatchObject({ page: 2, search: '?tab=all&page=2' });
  act(() => result.current.setPage(1));
  expect(result.current).toMatchObject({ page: 1, search: '?tab=all' });
});
