import { describe, expect, it } from 'vitest';
import { changeAddress, readAddress } from './list-address.ts';

const read = (query: string) => readAddress(new URLSearchParams(query));
const change = (query: string, to: Parameters<typeof changeAddress>[1]) =>
  changeAddress(new URLSearchParams(query), to).toString();

describe('the address of the list', () => {
  it('is read', () => {
    expect(read('tab=received&q=%20tea%20&page=2&exchange=12')).toEqual({
      tab: 'received',
      search: 'tea',
      page: 2,
      openId: 12,
    });
    expect(read('')).toEqual({ tab: 'all', search: '', page: 1, openId: null });
  });

  it.each(['0', '-1', 'abc', '1.5', '99999999999', '0x10', ''])('names no exchange by “%s”', (text) => {
    expect(read(`exchange=${text}`).openId).toBe('unknown');
  });

  it.each(['tab=everything', 'page=0', 'page=x', 'page=1e9'])('falls back from “%s”', (query) => {
    expect(read(query)).toMatchObject({ tab: 'all', page: 1 });
  });

  it('begins at the first page again for another tab or search', () => {
    expect(change('page=3', { tab: 'pending' })).toBe('tab=pending');
    expect(change('page=3&tab=pending', { search: 'tea' })).toBe('tab=pending&q=tea');
  });

  it('leaves out what goes without saying', () => {
    expect(change('tab=pending&q=tea&page=2', { tab: 'all', search: '' })).toBe('');
    expect(change('exchange=4&page=2', { openId: null })).toBe('page=2');
    expect(change('page=2', { page: 1 })).toBe('');
  });
});
