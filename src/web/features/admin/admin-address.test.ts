import { describe, expect, it } from 'vitest';
import { changeAddress, readAddress } from './admin-address.ts';

const read = (search: string) => readAddress(new URLSearchParams(search));
const change = (search: string, what: Parameters<typeof changeAddress>[1]) =>
  changeAddress(new URLSearchParams(search), what).toString();

describe('the address of the dashboard', () => {
  it('opens with the fees of all time', () => {
    const plain = { tab: 'fees', period: 'all', log: 'money', search: '', status: null };
    expect(read('')).toEqual(plain);
    expect(read('tab=x&period=never&log=?&status=gone')).toEqual(plain);
  });

  it('says which part, and what of it', () => {
    expect(read('tab=people&q=%20ann%20&status=banned')).toMatchObject({
      tab: 'people',
      search: 'ann',
      status: 'banned',
    });
  });

  it('begins anew with another tab, and at the first page with another filter', () => {
    expect(change('tab=people&q=ann&page=3', { tab: 'activity' })).toBe('tab=activity');
    expect(change('period=week&page=3', { period: 'month' })).toBe('period=month');
    expect(change('tab=people&q=ann&status=banned&page=2', { search: '', status: null })).toBe('tab=people');
    expect(change('tab=seo', { tab: 'fees' })).toBe('');
  });
});
