import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readMarket } from './market-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'clipswap-market-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const market = (settings: object) => {
  writeFileSync(path.join(folder, 'market.json'), JSON.stringify(settings));
  return readMarket(folder);
};

describe('the folder of a market', () => {
  it('names it; the installed application has a name that fits under its icon', () => {
    expect(readMarket(null)).toMatchObject({ name: 'ClipSwap', shortName: 'ClipSwap' });
    expect(market({})).toEqual(readMarket(null));
    expect(market({ name: 'The Coupon Corner' })).toMatchObject({ shortName: 'The Coupon' });
    expect(market({ name: 'The Coupon Corner', shortName: 'Corner' })).toMatchObject({
      name: 'The Coupon Corner',
      shortName: 'Corner',
    });
  });

  it('is refused with the field that is wrong, and why', () => {
    expect(() => market({ name: '' })).toThrow(/^MARKET_DIR: .*market\.json is not usable:\n {2}name: /);
    expect(() => market({ name: '<b>Corner</b>' })).toThrow('name: must be one line without');
    expect(() => market({ shortName: 'Coupon Corner' })).toThrow('shortName: ');
    expect(() => market({ nmae: 'Corner' })).toThrow('nmae');
    expect(() => readMarket(path.join(folder, 'missing'))).toThrow('market.json cannot be read');
    writeFileSync(path.join(folder, 'market.json'), '{ name }');
    expect(() => readMarket(folder)).toThrow('is no JSON');
  });
});
