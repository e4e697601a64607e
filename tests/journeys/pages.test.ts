import { afterAll, beforeAll, it } from 'vitest';
import { expectGoodPages } from '../browser/good-pages.ts';
import { closePages, openPage, sharedBrowser } from '../browser/harness.ts';
import { busiestMember, LOOKS } from '../browser/page-lists.ts';
import { openSite, type Site } from '../browser/site.ts';

/** The pages where most people spend their time; `test:all` visits all. */
const VISITORS = ['/', '/coupons/1', '/auth'];
const MEMBERS = ['/my-coupons', '/deals', '/profile-settings'];

let site: Site;
beforeAll(async () => {
  site = await openSite({ withDemo: true, host: 'localhost' });
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

it.each([
  ['a visitor', VISITORS, { looks: LOOKS }],
  ['a member', MEMBERS, {}],
] as const)(
  'the main pages of %s look as they should, for eyes, hands and readers',
  async (who, pages, checks) => {
    const opened = await openPage(await sharedBrowser(), { baseUrl: site.baseUrl, time: site.ctx.clock() });
    if (who === 'a member') {
      const { username } = await busiestMember(site);
      await opened.page.goto('/auth');
      await opened.page.getByRole('button', { name: `Sign in as ${username}` }).click();
      await opened.page.waitForURL('/');
    }
    await expectGoodPages(opened, pages, checks);
    await opened.context.close();
  },
);
