import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closePages, openPage, sharedBrowser } from '../browser/harness.ts';
import { couponJourneys } from '../browser/journeys/coupons.ts';
import { dealJourneys } from '../browser/journeys/deals.ts';
import { type JourneyMarket, openJourneyMarket } from '../browser/journeys/market.ts';
import { peopleJourneys } from '../browser/journeys/people.ts';
import { openSite, type Site, signIn } from '../browser/site.ts';

/** What people do on ClipSwap, from the first coupon to a claim, on a phone. */

let site: Site;
let browser: Browser;
let market: JourneyMarket;
beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
  market = await openJourneyMarket(site);
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

it.each(Object.entries({ couponJourneys, dealJourneys, peopleJourneys }))(
  'each of %s leads to its end',
  async (_, journeysOf) => {
    const findings: string[] = [];
    for (const { name, who, steps } of journeysOf(market)) {
      const opened = await openPage(browser, { width: 390, height: 844, baseUrl: site.baseUrl });
      if (who) await signIn(site, opened.context, who);
      for (const [at, { ready, act, done }] of steps.entries()) {
        const step = async (page: Page) => {
          await ready?.(page);
          await act(page);
          if (typeof done === 'function') await done(page);
          else await page.getByText(done).filter({ visible: true }).first().waitFor();
        };
        await step(opened.page).catch((error: Error) =>
          findings.push(`${name}, step ${at + 1}: ${error.message}`),
        );
      }
      await opened.context.close();
    }
    expect(findings.join('\n')).toBe('');
  },
);
