import { expect } from 'vitest';
import { all, check, choose, fill, follow, go, press, pressFirst } from './acts.ts';
import type { Journey, JourneyMarket } from './market.ts';

const NEXT_YEAR = `${new Date().getUTCFullYear() + 1}-12-31`;

/** Looking for coupons, and having some. */
export function couponJourneys({ site, people: { ana }, soup, tea, cake }: JourneyMarket): Journey[] {
  const { ctx } = site;
  const saved = () => ctx.db.selectFrom('savedCoupons').select('couponId').execute();
  const used = () => ctx.db.selectFrom('coupons').select('id').where('usedAt', 'is not', null).execute();
  const code = async () => {
    const drawn = await ctx.providers.pictures.draw('qrcode', 'PICTURE-2207');
    return drawn?.bytes ?? Buffer.alloc(0);
  };
  const kite = all(
    go('/my-coupons'),
    pressFirst('Add a Coupon'),
    press('Fill in the form yourself'),
    fill('Title', 'Kite'),
    fill('Merchant', 'Kite Corner'),
    async (page) => {
      await page.getByRole('combobox', { name: 'Category' }).click();
      await page.getByRole('option', { name: 'Retail' }).click();
    },
    fill('Value (CAD)', '12.50'),
    check('No expiry'),
    fill('Description', 'Any kite of the shop.'),
    fill('Coupon code', 'KITE-2207-AA'),
  );
  return [
    {
      name: 'looks for coupons',
      who: ana,
      steps: [
        { ready: go('/'), act: fill('Search coupons', 'cake'), done: 'Cake for one' },
        {
          ready: all(go('/'), press('Filters')),
          act: (page) => page.getByRole('dialog').getByText('Travel').click(),
          done: /Show 0 coupons|No coupons/,
        },
        { ready: go('/'), act: follow(`/coupons/${tea}`), done: 'Tea for one' },
        {
          ready: go('/'),
          act: pressFirst('Notifications'),
          done: 'View all notifications',
        },
        {
          ready: all(
            go('/validate-coupon'),
            fill('Merchant', 'Kite Corner'),
            fill('Coupon code', 'KITE-2207'),
          ),
          act: press('Validate'),
          done: /The format looks right/,
        },
        {
          ready: go(`/coupons/${cake}`),
          act: pressFirst(/^Save/),
          done: () => expect.poll(saved).toEqual([{ couponId: cake }]),
        },
      ],
    },
    {
      name: 'lists coupons',
      who: ana,
      steps: [
        { ready: kite, act: press('Validate'), done: /The format looks right/ },
        { act: press('Add coupon'), done: 'Coupon added' },
        {
          ready: all(go('/my-coupons'), pressFirst('Add a Coupon')),
          act: choose(/^Picture of the coupon/, code),
          done: /We (have )?read/,
        },
        {
          ready: all(
            go('/add-coupons'),
            fill('Or paste rows', `Corner Coffee, $4.50, LATTE-1, ${NEXT_YEAR}`),
          ),
          act: press('Add these rows'),
          done: '1 row',
        },
        {
          ready: async (page) => {
            await page.getByLabel('Category').last().selectOption('Food');
          },
          act: press(/^List 1 coupon/),
          done: '1 coupon listed',
        },
        { ready: go('/add-coupons'), act: press('Create address'), done: 'Address created' },
      ],
    },
    {
      name: 'uses coupons',
      who: ana,
      steps: [
        { ready: go(`/coupons/${soup}`), act: pressFirst('Show code'), done: /TESTCODE/ },
        {
          ready: go('/terms'),
          act: follow(`/my-coupons?coupon=${soup}`),
          done: 'Here is your coupon',
        },
        {
          ready: all(go('/my-coupons?q=soup'), press('Edit Soup for two'), fill('Title', 'Soup for three')),
          act: press('Save changes'),
          done: 'Coupon saved',
        },
        {
          ready: go('/my-coupons?q=soup'),
          act: press('Mark Soup for three as used'),
          done: () => expect.poll(used).toEqual([{ id: soup }]),
        },
        {
          ready: all(go('/my-coupons?q=soup'), press('Delete Soup for three')),
          act: press('Delete coupon'),
          done: /deleted/i,
        },
      ],
    },
  ];
}
