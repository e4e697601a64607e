import { afterAll, beforeAll, it } from 'vitest';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { expectGoodState, windowsFor } from './good-pages.ts';
import { addAuthenticator, closePages, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ withDemo: false, host: 'localhost' });
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

// At 1280 px in the short form.
it.each(windowsFor(0))(
  'a passkey is added, signs in, and signs nobody in once it is removed',
  async (...windows) => {
    const person = await createUser(site.ctx);
    const opened = await openPage(await sharedBrowser(), { ...windows[0], baseUrl: site.baseUrl });
    const { context, page } = opened;
    await addAuthenticator(page);
    await signIn(site, opened.context, person);
    await page.goto('/profile-settings#passkeys');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const adding = page.getByRole('dialog', { name: 'Add a passkey' });
    await adding.getByLabel('Name').fill('My thumb');
    await adding.getByLabel('Your password').fill(TEST_PASSWORD);
    await expectGoodState(opened, windows);
    await adding.getByRole('button', { name: 'Continue' }).click();
    const passkeys = page.getByRole('list', { name: 'Passkeys' });
    await passkeys.getByText(/not used yet/).waitFor();
    await adding.waitFor({ state: 'detached' });
    await expectGoodState(opened, windows);

    await context.clearCookies();
    await page.goto('/auth?from=/profile-settings%3Ftab=safety');
    const passkeyButton = page.getByRole('button', { name: 'Sign in with a passkey' });
    await passkeyButton.click();
    await passkeys.getByText(/last used/).waitFor();

    await page.getByRole('button', { name: 'Remove My thumb' }).click();
    const removing = page.getByRole('dialog', { name: 'Remove this passkey?' });
    await removing.getByRole('button', { name: 'Use a passkey instead' }).waitFor();
    await expectGoodState(opened, windows);
    await removing.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.getByText('You have no passkeys yet.').waitFor();
    opened.assertNoConsoleErrors();

    await context.clearCookies();
    await page.goto('/auth');
    await passkeyButton.click();
    await page.getByText('This passkey did not work.').waitFor();
    opened.assertNoConsoleErrors([/401/]);
    await context.close();
  },
);
