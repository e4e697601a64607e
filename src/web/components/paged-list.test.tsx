import { cleanup, screen } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { describe, expect, it, vi } from 'vitest';
import type { PageRef } from '#contract/base/primitives.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderFor } from '#tests/support/web/render.tsx';
import { countText, PagedList, type PageQuery } from './paged-list.tsx';

const page = (total: number, items: string[]) => ({
  items,
  total,
  totalIsCapped: total === 200,
  nextCursor: total === 200 ? 'next' : null,
  previousCursor: null,
});

function show(
  query: Partial<PageQuery<string>>,
  props: { page?: PageRef; announce?: typeof countText } = {},
) {
  const onChange = vi.fn();
  const refetch = vi.fn();
  renderFor(
    null,
    <PagedList
      query={{ data: undefined, error: null, isFetching: false, isPlaceholderData: false, refetch, ...query }}
      page={props.page ?? 1}
      pageSize={6}
      onChange={onChange}
      label="Coupons"
      announce={props.announce}
      errorTitle="No coupons came"
      skeleton="Skeleton"
      empty="Nothing yet"
    >
      {(items) => (
        <ul>
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
    </PagedList>,
  );
  return { onChange, refetch };
}

describe('a list', () => {
  it('shows its skeleton, marked as busy, while it loads', () => {
    show({});
    expect(screen.getByText('Skeleton').getAttribute('aria-busy')).toBe('true');
  });

  it('shows why it failed to load, and loads again on Retry', () => {
    const { refetch } = show({ error: new Error('The cable is cut') });
    expect(screen.getByRole('alert').textContent).toContain('No coupons cameThe cable is cut');
    press('Retry');
    expect(refetch).toHaveBeenCalledOnce();
  });

  it('keeps its rows when a refresh fails', () => {
    show({ data: page(1, ['One']), error: new Error('The cable is cut') });
    expect(screen.getByText('One')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('shows a text in place of the rows when it is empty', () => {
    show({ data: page(0, []) });
    expect(screen.getByText('Nothing yet')).toBeTruthy();
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('leads back to the first page from a later page that is empty', () => {
    const { onChange } = show({ data: page(6, []) }, { page: 2 });
    press('Back to the first page');
    expect(onChange).toHaveBeenCalledWith(1);
  });

  it('says where the list has no such page', () => {
    const wire = { error: '', code: 'bad_input', issues: [{ path: 'page', message: '' }] };
    const error = TRPCClientError.from({ error: { message: '', code: -1, data: { httpStatus: 400, wire } } });
    const { onChange } = show({ error }, { page: 35 });
    expect(screen.getByText('This page does not exist')).toBeTruthy();
    press('Back to the first page');
    expect(onChange).toHaveBeenCalledWith(1);
  });

  it('marks its rows as busy while the next page loads', () => {
    show({ data: page(1, ['One']), isPlaceholderData: true });
    expect(screen.getByRole('list').parentElement?.getAttribute('aria-busy')).toBe('true');
    cleanup();
    show({ data: page(1, ['One']) });
    expect(screen.getByRole('list').parentElement?.getAttribute('aria-busy')).toBe('false');
  });

  it('announces its count [decisions 6.0.5]', () => {
    show({ data: page(200, ['One']) }, { announce: countText });
    expect(screen.getByRole('status').textContent).toBe('200+');
    expect(countText(page(12, []))).toBe('12');
  });
});

describe('page numbers', () => {
  it('are hidden for a single page', () => {
    show({ data: page(6, ['One']) });
    expect(screen.queryByRole('navigation')).toBeNull();
  });

  it('lead to every page, and have names for screen readers', () => {
    const { onChange } = show({ data: page(13, ['One']) });
    expect(screen.getByRole('navigation', { name: 'Coupons pages' })).toBeTruthy();
    press('Page 3');
    expect(onChange).toHaveBeenLastCalledWith(3);
    press('Next page');
    expect(onChange).toHaveBeenLastCalledWith(2);
  });

  it('lead on from the last counted page by cursor', () => {
    const { onChange } = show({ data: page(200, ['One']) }, { page: 34 });
    press('Next page');
    expect(onChange).toHaveBeenLastCalledWith('next');
    press('Previous page');
    expect(onChange).toHaveBeenLastCalledWith(33);
  });

  it('lead both ways from a page by cursor, and back to the counted ones', () => {
    const { onChange } = show(
      { data: { ...page(200, ['One']), previousCursor: 'previous' } },
      { page: 'cursor' },
    );
    press('Previous page');
    expect(onChange).toHaveBeenLastCalledWith('previous');
    press('Next page');
    expect(onChange).toHaveBeenLastCalledWith('next');
    press('Page 1');
    expect(onChange).toHaveBeenLastCalledWith(1);
    expect(document.querySelector('[aria-current="page"]')).toBeNull();
  });

  it('lead nowhere from the last page', () => {
    show({ data: { ...page(200, ['One']), nextCursor: null } }, { page: 'cursor' });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Next page' }).disabled).toBe(true);
  });
});
