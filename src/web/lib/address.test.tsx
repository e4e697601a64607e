import { act, renderHook } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import {
  defineAddress,
  keyed,
  oneOf,
  openedId,
  pageRef,
  plainText,
  searchText,
} from '#contract/base/address.ts';
import { useAddress, usePage } from './address.ts';

const TABS = ['all', 'sent', 'received'] as const;
const DAYS = [null, 7, 30] as const;
const LIST = defineAddress({
  tab: oneOf(TABS),
  search: keyed('q', searchText(20)),
  days: oneOf(DAYS),
  page: pageRef,
  openId: keyed('exchange', openedId),
  token: plainText,
});
const USUAL = { tab: 'all', search: '', days: null, page: 1, openId: null, token: '' };

const read = (query: string) => LIST.read(new URLSearchParams(query));
const change = (query: string, to: Parameters<typeof LIST.change>[1]) =>
  LIST.change(new URLSearchParams(query), to).toString();

describe('an address', () => {
  it('reads back every value that it has written', () => {
    const texts = ['', 'tea', 'a&b=c', '100% 😀', '+', '?page=3#x'];
    for (const tab of TABS) {
      for (const days of DAYS) {
        for (const text of texts) {
          for (const number of [1, 2, 10]) {
            const values = { tab, days, search: text, page: number, openId: number, token: text };
            expect(read(change('x=1', values))).toEqual(values);
          }
        }
      }
    }
  });

  it.each([
    'tab=everything',
    'tab=ALL',
    'days=8',
    'days=null',
    `q=${'x'.repeat(21)}`,
    'q=%00',
    'q=+',
    'page=0',
    'page=-1',
    'page=1.5',
    'page=two',
    'page=1e9',
    'page=',
    'unknown=1',
  ])('ignores %s', (query) => expect(read(query)).toEqual(USUAL));

  it.each(['0', '-1', 'abc', '1.5', '99999999999', '0x10', ''])('has an unknown id for “%s”', (text) => {
    expect(read(`exchange=${text}`).openId).toBe('unknown');
  });

  it('has page numbers and cursors, and leaves it to the list whether there is such a page', () => {
    const cursor = Buffer.from('["bids","after",1]').toString('base64url');
    expect(read('page=1000').page).toBe(1000);
    expect(read(`page=${cursor}`).page).toBe(cursor);
  });

  it('leaves out defaults and keeps unknown parameters', () => {
    expect(change('x=1&tab=sent&q=tea&days=7&page=2&exchange=3&token=t', { ...USUAL, tab: 'all' })).toBe(
      'x=1',
    );
    expect(change('tab=sent&q=tea', { tab: undefined })).toBe('q=tea');
  });

  it('returns to the first page when a filter changes, but not when an item is opened', () => {
    expect(change('page=3', { tab: 'sent' })).toBe('tab=sent');
    expect(change('tab=sent&page=3', { search: ' tea ' })).toBe('tab=sent&q=tea');
    expect(change('page=3', { tab: 'sent', page: 2 })).toBe('page=2&tab=sent');
    expect(change('page=3', { openId: 4 })).toBe('page=3&exchange=4');
    expect(change('page=3&exchange=4', { openId: null })).toBe('page=3');
  });
});

function at<Shown>(address: string, hook: () => Shown) {
  return renderHook(() => ({ shown: hook(), search: useLocation().search }), {
    wrapper: ({ children }) => <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>,
  }).result;
}

it('applies two changes before the next render', () => {
  const result = at('/?x=1', () => useAddress(LIST));
  act(() => {
    result.current.shown[1]({ search: 'tea' });
    result.current.shown[1]({ tab: 'sent' });
  });
  expect(result.current.search).toBe('?x=1&q=tea&tab=sent');
  expect(result.current.shown[0]).toMatchObject({ search: 'tea', tab: 'sent' });
});

it('keeps the page number beside other parameters', () => {
  const result = at('/?tab=all', () => usePage());
  act(() => result.current.shown[1](2));
  expect(result.current).toMatchObject({ shown: [2, expect.any(Function)], search: '?tab=all&page=2' });
  act(() => result.current.shown[1](1));
  expect(result.current).toMatchObject({ shown: [1, expect.any(Function)], search: '?tab=all' });
});
