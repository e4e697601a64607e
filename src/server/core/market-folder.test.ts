import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
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

  it('says in which currency it charges; yen are refused, and PayPal and fees must fit', () => {
    expect(readMarket(null).currency).toBe('CAD');
    expect(market({ currency: 'EUR' })).toMatchObject({ currency: 'EUR' });
    expect(() => market({ currency: 'JPY' })).toThrow('currency: must be one of USD, CAD, EUR');
    const start = (currency: string, env = {}) => {
      market({ currency });
      return loadConfig({ MARKET_DIR: folder, DATA_DIR: folder, NODE_ENV: 'test', ...env });
    };
    const paypal = {
      ...{ PAYPAL_CLIENT_ID: 'id', PAYPAL_CLIENT_SECRET: 'secret', PAYPAL_PARTNER_ID: 'AAAAAAAAAAAAA' },
      ...{ PAYPAL_WEBHOOK_ID: 'hook', PAYPAL_ATTRIBUTION_ID: 'bn' },
    };
    expect(start('EUR', paypal).paypal).not.toBeNull();
    expect(start('ZAR', paypal).paypal).toBeNull();
    const fee = { BUYER_FEE_MINIMUM_CENTS: '300' };
    expect(() => start('EUR', fee)).toThrow('BUYER_FEE_MINIMUM_CENTS: must be at most 299 in EUR');
    expect(start('MXN', fee).feeRates.buyer.minimum).toBe(300);
  });

  it('has its own line, company and categories', () => {
    expect(readMarket(null)).toMatchObject({ tagline: null, company: null, categories: null });
    const company = { name: 'Corner Ltd', address: ['1 High Street', 'London'] };
    const own = market({
      ...{ tagline: { en: 'Coupons next door' }, company },
      categories: ['travel', { key: 'food', name: { en: 'Meals', fr: 'Repas' } }],
    });
    expect(own).toMatchObject({
      ...{ tagline: { en: 'Coupons next door' }, company },
      categories: [{ key: 'travel' }, { key: 'food', name: { en: 'Meals', fr: 'Repas' } }],
    });
    expect(() => market({ tagline: { fr: 'Des coupons' } })).toThrow('tagline.en: is missing');
    expect(() => market({ company: { name: 'Corner Ltd' } })).toThrow('company.address: ');
    expect(() => market({ categories: ['flights'] })).toThrow('categories.0: must be one of food, retail');
    expect(() => market({ categories: ['food', 'food'] })).toThrow('categories: must name each one once');
  });

  it('has a language, in which its texts suffice', () => {
    expect(readMarket(null).language).toBe('en');
    const french = { language: 'fr', tagline: { fr: 'Des coupons' } };
    const own = market({ ...french, categories: [{ key: 'food', name: { fr: 'Repas' } }] });
    expect(own).toMatchObject({
      language: 'fr',
      tagline: { en: 'Des coupons', fr: 'Des coupons' },
      categories: [{ key: 'food', name: { en: 'Repas', fr: 'Repas' } }],
    });
    expect(() => market({ ...french, tagline: { en: 'Coupons' } })).toThrow('tagline.fr: is missing');
    expect(() => market({ language: 'de' })).toThrow('language: must be one of en, fr');
    mkdirSync(path.join(folder, 'legal'));
    writeFileSync(path.join(folder, 'legal/terms.fr.md'), 'Bonjour');
    expect([...market(french).legalTexts]).toEqual([
      ['terms.fr', 'Bonjour'],
      ['terms.en', 'Bonjour'],
    ]);
    writeFileSync(path.join(folder, 'market.json'), JSON.stringify({ language: 'en' }));
    const languageOf = (settings: object) => loadConfig({ MARKET_DIR: folder, ...settings }).market.language;
    expect(languageOf({ DEFAULT_LANGUAGE: 'fr' })).toBe('fr');
    expect(() => languageOf({ DEFAULT_LANGUAGE: 'de' })).toThrow('terms.en.md is missing');
    rmSync(path.join(folder, 'legal'), { recursive: true });
    expect(() => languageOf({ DEFAULT_LANGUAGE: 'de' })).toThrow('DEFAULT_LANGUAGE: must be one of en, fr');
  });

  it('refuses colours that nobody could read, with better ones', () => {
    expect(() => market({ colors: { primary: '#ff8800' } })).toThrow(
      /colors\.primary: #ff8800 is too light .*; #[\da-f]{6} has/,
    );
    expect(() => market({ colors: { primary: 'red' } })).toThrow('colors.primary: must be a colour such as');
    expect(market({ colors: { primary: '#0B6E4F' } }).palette.get('#c2431f')).toBe('#0b6e4f');
  });

  it('has its logo, its icon and its legal texts in files', async () => {
    const write = (name: string, content: string | Buffer) => writeFileSync(path.join(folder, name), content);
    const png = (size: number) =>
      sharp({ create: { width: size, height: size, channels: 3, background: '#0b6e4f' } })
        .png()
        .toBuffer();
    write('logo.svg', '<html></html>');
    expect(() => market({ logo: 'logo.svg' })).toThrow('logo.svg is no SVG drawing');
    expect(() => market({ logo: '../logo.svg' })).toThrow('must be the name of a file in this folder');
    write('icon.png', await png(511));
    expect(() => market({ icon: 'icon.png' })).toThrow(
      'must be a square of at least 512 pixels, and has 511 × 511',
    );
    write('logo.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
    write('icon.png', await png(512));
    mkdirSync(path.join(folder, 'legal'));
    write('legal/terms.fr.md', 'Bonjour');
    expect(() => market({})).toThrow('terms.en.md is missing');
    write('legal/terms.en.md', 'Hello');
    write('legal/tems.en.md', 'Hello');
    expect(() => market({})).toThrow(/tems\.en\.md is no legal text: their names are terms\.en\.md, /);
    rmSync(path.join(folder, 'legal/tems.en.md'));
    const { logo, icon, legalTexts } = market({ logo: 'logo.svg', icon: 'icon.png' });
    expect([logo?.slice(0, 4), icon?.length, [...legalTexts.keys()].sort()]).toEqual([
      '<svg',
      (await png(512)).length,
      ['terms.en', 'terms.fr'],
    ]);
  });

  it('makes settings, and the environment comes first', () => {
    market({
      fees: { buyerPercent: 2.5, sellerPercent: 7 },
      supportEmail: 'help@corner.example',
      mailFrom: 'Corner <hi@corner.example>',
    });
    const load = (given: object) => loadConfig({ DATA_DIR: folder, MARKET_DIR: folder, ...given });
    const { feeRates, supportEmail, mail } = load({ SELLER_FEE_PERCENT: '1' });
    expect([feeRates.buyer.basisPoints, feeRates.seller.basisPoints, supportEmail, mail]).toEqual([
      250,
      100,
      'help@corner.example',
      null,
    ]);
    expect(load({ SMTP_URL: 'smtp://localhost' }).mail).toMatchObject({ from: 'Corner <hi@corner.example>' });
    market({ fees: { buyerPercent: 99 } });
    expect(() => load({})).toThrow('BUYER_FEE_PERCENT');
  });
});
