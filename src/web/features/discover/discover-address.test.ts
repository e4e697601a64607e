import { describe, expect, it } from 'vitest';
import { changeAddress, readAddress } from './discover-address.ts';

const read = (query: string) => readAddress(new URLSearchParams(query));
const change = (query: string, to: Parameters<typeof changeAddress>[1]) =>
  changeAddress(new URLSearchParams(query), to).toString();

describe('what the address says', () => {
  it.each([
    ['', { search: '', merchant: null, page: 1 }],
    ['q=ada&merchant=Adas+Shop&page=3', { search: 'ada', merchant: 'Adas Shop', page: 3 }],
    [`q=${'x'.repeat(81)}&merchant=+&page=0`, { search: '', merchant: null, page: 1 }],
    ['page=1.5', { search: '', merchant: null, page: 1 }],
    ['page=many', { search: '', merchant: null, page: 1 }],
  ])('%s', (query, address) => {
    expect(read(query)).toEqual(address);
  });
});

describe('after a change', () => {
  it.each([
    ['q=a&merchant=B&page=2', { page: 3 }, 'q=a&merchant=B&page=3'],
    ['q=a&merchant=B&page=2', { page: 1 }, 'q=a&merchant=B'],
    ['q=a&merchant=B&page=2', { merchant: 'C' }, 'q=a&merchant=C'],
    ['q=a&merchant=B&page=2', { search: 'b' }, 'q=b'],
    ['q=a&x=1', { search: '' }, 'x=1'],
  ])('%s with %o', (query, to, after) => {
    expect(change(query, to)).toBe(after);
  });
});
