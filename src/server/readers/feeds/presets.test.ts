import { describe, expect, it } from 'vitest';
import { readFeedText, readOnlyOffer } from '#tests/support/feeds.ts';

describe('field names of the networks', () => {
  it('Awin, CSV', async () => {
    const csv = `Promotion ID,Advertiser,Advertiser ID,Type,Code,Description,Starts,Ends,Categories,Regions,Terms,Deeplink Tracking,Deeplink,Commission Groups,Commission,Exclusive,Date Added,Title
123,Acme Shoes,77,Vouchers Only,ACME15,"<p>15% off &amp; more</p>",01/02/2030 00:00:00,03/04/2030 23:59:59,Shoes,GB,One per person,https://www.awin1.com/cread.php?id=1,https://acme.example/,,5%,No,01/01/2030,Save on shoes
`;
    expect(await readOnlyOffer(csv, { format: 'csv', network: 'awin' })).toEqual({
      merchant: 'Acme Shoes',
      code: 'ACME15',
      title: 'Save on shoes',
      description: '15% off & more',
      value: null,
      discountType: null,
      isValueRead: false,
      startDate: '2030-02-01',
      expiryDate: '2030-04-03',
      endTime: '2030-04-03T23:59:59',
      regions: ['GB'],
      terms: 'One per person',
      sourceUrl: 'https://www.awin1.com/cread.php?id=1',
      imageUrl: null,
    });
  });

  it('Awin, API', async () => {
    const json = JSON.stringify({
      data: [
        {
          promotionId: 1,
          type: 'voucher',
          advertiser: { id: 7, name: 'Acme Shoes', joined: true },
          title: 'Save',
          description: 'Save <b>now</b>',
          terms: 'None',
          startDate: '2030-02-01T00:00:00',
          endDate: '2030-04-03T23:59:59',
          url: 'https://acme.example/',
          urlTracking: 'https://www.awin1.com/x',
          voucher: { code: 'ACME15', exclusive: false, attributable: true },
          regions: {
            all: false,
            list: [
              { name: 'Italy', countryCode: 'IT' },
              { name: 'Austria', countryCode: 'AT' },
            ],
          },
        },
      ],
      pagination: { page: 1, pageSize: 200, total: 1 },
    });
    expect(await readOnlyOffer(json, { format: 'json', network: 'awin' })).toMatchObject({
      merchant: 'Acme Shoes',
      code: 'ACME15',
      description: 'Save now',
      startDate: '2030-02-01',
      expiryDate: '2030-04-03',
      regions: ['AT', 'IT'],
      sourceUrl: 'https://www.awin1.com/x',
    });
  });

  it('Rakuten, one link and several', async () => {
    const link = (
      code: string,
    ) => `<link type="TEXT"><categories><category id="1">Apparel</category></categories>
      <offerdescription>Take 10% off</offerdescription><offerstartdate>2030-01-01</offerstartdate>
      <offerenddate>2030-12-31</offerenddate><couponcode>${code}</couponcode>
      <couponrestriction>Not on sale items</couponrestriction><clickurl>http://click.linksynergy.com/x?a=1&amp;b=2</clickurl>
      <advertiserid>9</advertiserid><advertisername>Acme</advertisername><network id="1">US</network></link>`;
    const feed = (...codes: string[]) =>
      `<?xml version="1.0"?><couponfeed><TotalMatches>1</TotalMatches><TotalPages>1</TotalPages>${codes.map(link).join('')}</couponfeed>`;
    const reading = { format: 'xml', network: 'rakuten' } as const;
    expect(await readOnlyOffer(feed('00123'), reading)).toEqual({
      merchant: 'Acme',
      code: '00123',
      title: 'Take 10% off',
      description: 'Take 10% off',
      value: 1_000,
      discountType: 'percentage',
      isValueRead: true,
      startDate: '2030-01-01',
      expiryDate: '2030-12-31',
      endTime: null,
      regions: [],
      terms: 'Not on sale items',
      sourceUrl: 'http://click.linksynergy.com/x?a=1&b=2',
      imageUrl: null,
    });
    expect(await readFeedText(feed('A1', 'B2'), reading)).toHaveLength(2);
    expect(
      await readFeedText('<couponfeed><TotalMatches>0</TotalMatches><link/></couponfeed>', reading),
    ).toEqual([]);
  });

  it('CJ', async () => {
    const xml = `<cj-api><links total-matched="1" records-returned="1" page-number="1"><link>
      <link-id>1</link-id><advertiser-id>2</advertiser-id><advertiser-name>Acme</advertiser-name>
      <link-name>Ten off</link-name><description>Ten per cent off all</description><promotion-type>coupon</promotion-type>
      <promotion-start-date>2030-01-01 00:00:00.0</promotion-start-date><promotion-end-date>2030-06-30 23:59:00.0</promotion-end-date>
      <coupon-code>TEN</coupon-code><clickUrl>https://www.anrdoezrs.net/x</clickUrl></link></links></cj-api>`;
    expect(await readOnlyOffer(xml, { format: 'xml', network: 'cj' })).toMatchObject({
      merchant: 'Acme',
      code: 'TEN',
      title: 'Ten off',
      description: 'Ten per cent off all',
      startDate: '2030-01-01',
      expiryDate: '2030-06-30',
      sourceUrl: 'https://www.anrdoezrs.net/x',
    });
  });

  it('CouponAPI.org', async () => {
    const json = JSON.stringify({
      result: true,
      offers: [
        {
          offer_id: '1',
          title: 'Flat 20',
          description: '',
          code: 'FLAT20',
          featured: 'No',
          source: 'x',
          affiliate_link: 'https://go.example/1',
          image_url: 'http://img.example/flat.png',
          type: 'Code',
          store: 'acme',
          categories: 'Fashion',
          start_date: '2030-01-01',
          end_date: '',
          status: 'new',
        },
      ],
    });
    expect(await readOnlyOffer(json, { format: 'json', network: 'couponapi' })).toMatchObject({
      merchant: 'acme',
      code: 'FLAT20',
      description: 'Flat 20',
      expiryDate: null,
      sourceUrl: 'https://go.example/1',
      imageUrl: 'https://img.example/flat.png',
    });
  });

  it('LinkMyDeals, with its typed values', async () => {
    const offer = (fields: object) => ({
      lmd_id: 1,
      store: 'Acme',
      merchant_homepage: 'https://acme.example',
      long_offer: 'Long words',
      title: 'Short words',
      code: 'LMD',
      terms_and_conditions: 'T',
      smartlink: 'https://lmd.example/1',
      start_date: '2030-01-01',
      end_date: '2030-02-01',
      status: 'updated',
      ...fields,
    });
    const offers = [
      offer({ code: 'A', offer: 'Percentage Off', offer_value: '50' }),
      offer({ code: 'B', offer: 'Price Off', offer_value: '10' }),
      offer({ code: 'C', offer: 'Cashback', offer_value: '10' }),
      offer({ code: 'D', offer: '', offer_value: '10' }),
      offer({ code: 'E', status: 'suspended' }),
    ];
    const rows = await readFeedText(JSON.stringify({ offers }), {
      format: 'json',
      network: 'linkmydeals',
      currency: 'USD',
    });
    const money = rows.map((row) =>
      'offer' in row ? [row.offer.value, row.offer.discountType] : row.problem,
    );
    expect(money).toEqual([
      [5_000, 'percentage'],
      [1_360, 'fixed'],
      [null, null],
      [null, null],
      'Its status is suspended',
    ]);
    expect(rows[0]).toMatchObject({
      offer: { merchant: 'Acme', description: 'Long words', terms: 'T', sourceUrl: 'https://lmd.example/1' },
    });
  });

  it('FMTC', async () => {
    const xml = `<deals><item><couponid>1</couponid><merchantid>2</merchantid><merchantname>Acme</merchantname>
      <network>CJ</network><label><![CDATA[20% off <i>all</i> & more]]></label><restrictions>R</restrictions>
      <couponcode>FM20</couponcode><link>https://x.example/1</link><startdate>2030-01-01 00:00:00 EST</startdate>
      <enddate>2030-01-31 23:59:59 EST</enddate><status>active</status></item></deals>`;
    expect(await readOnlyOffer(xml, { format: 'xml', network: 'fmtc' })).toMatchObject({
      merchant: 'Acme',
      code: 'FM20',
      title: '20% off all & more',
      terms: 'R',
      expiryDate: '2030-01-31',
    });
  });

  it('Admitad', async () => {
    const json = JSON.stringify({
      results: [
        {
          id: 1,
          name: 'Long name',
          short_name: 'Short',
          description: 'Words',
          promocode: 'ADM',
          campaign: { id: 3, name: 'Acme', site_url: 'https://acme.example/' },
          date_start: '2030-01-01T00:00:00',
          date_end: null,
          discount: '10%',
          species: 'promocode',
          regions: ['DE'],
        },
      ],
      _meta: { count: 1 },
    });
    expect(await readOnlyOffer(json, { format: 'json', network: 'admitad' })).toMatchObject({
      merchant: 'Acme',
      code: 'ADM',
      title: 'Short',
      value: 1_000,
      discountType: 'percentage',
      expiryDate: null,
      regions: ['DE'],
      sourceUrl: 'https://acme.example/',
    });
  });

  it('Google promotions, TSV and XML', async () => {
    const tsv = [
      'promotion_id\tproduct_applicability\toffer_type\tgeneric_redemption_code\tlong_title\tpromotion_effective_dates\tredemption_channel\tpercent_off\tmoney_off_amount\tminimum_purchase_amount',
      'P1\tall_products\tgeneric_code\tGOOG\tForty "off" everything\t2030-01-01T00:00:00+00:00/2030-02-01T22:30:00-05:00\tonline\t\t40.00 GBP\t100.00 GBP',
      'P2\tall_products\tno_code\t\tFree things\t2030-01-01/2030-02-01\tonline\t\t\t',
    ].join('\n');
    const reading = { network: 'google', merchant: 'Acme' } as const;
    const [first, second] = await readFeedText(tsv, { ...reading, format: 'tsv' });
    expect(first).toEqual({
      line: 2,
      offer: {
        merchant: 'Acme',
        code: 'GOOG',
        title: 'Forty "off" everything',
        description: 'Forty "off" everything',
        // 40 GBP / 0.79 * 1.36
        value: 6_886,
        discountType: 'fixed',
        isValueRead: false,
        startDate: '2030-01-01',
        // 22:30 in that time zone is the next day in UTC.
        expiryDate: '2030-02-02',
        endTime: '2030-02-01T22:30:00-05:00',
        regions: [],
        terms: null,
        sourceUrl: null,
        imageUrl: null,
      },
    });
    expect(second).toEqual({ line: 3, problem: 'It has no code' });
    const xml = `<rss xmlns:G="http://base.google.com/ns/1.0"><channel><title>Acme</title><item>
      <G:promotion_id>P1</G:promotion_id><G:generic_redemption_code>GX</G:generic_redemption_code>
      <G:long_title>Quarter off</G:long_title><G:percent_off>25</G:percent_off>
      <G:promotion_effective_dates>2030-01-01T00:00Z/2030-02-01T00:00Z</G:promotion_effective_dates></item></channel></rss>`;
    expect(await readOnlyOffer(xml, { ...reading, format: 'xml' })).toMatchObject({
      code: 'GX',
      value: 2_500,
      discountType: 'percentage',
      expiryDate: '2030-02-01',
    });
  });

  it('JSON-LD in a page, however nested', async () => {
    const html = `<html><script type="application/ld+json">{ broken</script>
      <script type="application/ld+json">${JSON.stringify({
        '@context': 'https://schema.org',
        '@graph': [
          {
            '@type': 'ItemList',
            itemListElement: [
              {
                '@type': 'ListItem',
                item: {
                  '@type': 'Offer',
                  discountCode: 'LD10',
                  name: 'Ten off',
                  image: [{ '@type': 'ImageObject', url: 'https://img.example/ten.jpg' }],
                  validThrough: '2030-03-01T00:00:00Z',
                  offeredBy: { '@type': 'Organization', name: 'Acme' },
                },
              },
            ],
          },
          {
            '@type': 'Order',
            discountCode: 'LD20',
            discount: 20,
            discountCurrency: 'EUR',
            description: 'Twenty off',
            seller: 'Acme',
          },
        ],
      })}</script></html>`;
    const rows = await readFeedText(html, { format: 'html' });
    expect(rows).toEqual([
      { line: 1, problem: 'It is not JSON' },
      { line: 2, offer: expect.objectContaining({ code: 'LD20', merchant: 'Acme', value: 2_957 }) },
      {
        line: 3,
        offer: expect.objectContaining({
          code: 'LD10',
          merchant: 'Acme',
          expiryDate: '2030-03-01',
          imageUrl: 'https://img.example/ten.jpg',
        }),
      },
    ]);
  });
});
