import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WEB_PAGES } from '#contract/base/pages.ts';
import type { Actor } from '#server/context/context.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import { follow } from './journeys/acts.ts';
import { dealJourneys } from './journeys/deals.ts';
import { type JourneyMarket, openJourneyMarket } from './journeys/market.ts';
import { openSite, type Site, signIn } from './site.ts';
import { expectNothingWaits, loadAllCode, SAID, setOffline, walk } from './without-network.ts';

/**
 * The network goes at each step of two journeys: the page says so, nothing waits without end, what is typed stays, and the
 * step is done once the network is back.
 */
const JOURNEYS = ['pays', 'swaps, writes, rates and claims'];

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

/** Opens a page of the application on a phone, with all its code. */
async function openWithCode(who: Actor | null): Promise<Page> {
  const { page, context } = await openPage(browser, { width: 390, height: 844, baseUrl: site.baseUrl });
  if (who) await signIn(site, context, who);
  await page.goto('/terms');
  await loadAllCode(page);
  return page;
}

it.each(JOURNEYS)('each step of the journey: %s', async (journey) => {
  const findings: string[] = [];
  for (const { name, who, steps } of dealJourneys(market).filter((each) => each.name === journey)) {
    const page = await openWithCode(who);
    for (const [index, step] of steps.entries()) {
      await walk(page, step).catch(async (error: Error) => {
        findings.push(`${name}, step ${index + 1}: ${error.message}`);
        await page.context().setOffline(false);
      });
    }
  }
  expect(findings.join('\n')).toBe('');
});

/** Pages that say the same with and without a network, and the one that shows how a payment ended. */
const SELF_CONTAINED =
  /^\/(how-it-works|risks|validate-coupon|terms|privacy-policy|acceptable-use-policy|developers|auth|forgot-password|reset-password|not-me|verify-email|defend|unsubscribe|payment-complete)$/;

it('each page', async () => {
  const { people, tea, due, paid } = market;
  const parameters: Record<string, number | string> = {
    '/coupons/:id': tea,
    '/users/:id': people.ben.id,
    '/merchants/:name': 'Bakery%20Lane',
    '/checkout/:bidId': due.byCard,
    '/sales/:id': paid.works,
    '/market-days/:day': '2035-06-15',
    '/assistant-requests/:id': 1,
  };
  const addresses = WEB_PAGES.map(({ path }) => path.replace(/:\w+/, () => String(parameters[path])))
    // On phones the settings begin with the list of their pages, which needs no network.
    .map((address) => address.replace(/^\/profile-settings$/, '/profile-settings?tab=me'));
  const page = await openWithCode(people.admin);
  await setOffline(page, true);
  const findings: string[] = [];
  for (const address of addresses.filter((each) => !SELF_CONTAINED.test(each))) {
    await follow(address)(page);
    try {
      await expectNothingWaits(page);
      await page.locator('h1').waitFor();
      await page.locator('main').getByText(SAID).filter({ visible: true }).first().waitFor();
    } catch (error) {
      findings.push(`${address}: ${String(error)}`);
    }
  }
  await setOffline(page, false);
  await page.getByText(SAID).first().waitFor({ state: 'detached' });
  expect(findings.join('\n')).toBe('');
});
