import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { trackingIdOf } from '#server/providers/paypal/onboarding.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { address } from '#tests/support/web/acts.ts';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as SellerOnboardingPage } from '#web/pages/seller-onboarding.tsx';
import { SellerBanner } from './seller-banner.tsx';

let server: TestApp;
let bare: TestApp;
let me: Actor;

beforeAll(async () => {
  // The server runs in this process, too; its calls to the sandbox have no origin.
  Reflect.get(window, 'happyDOM').settings.fetch.disableSameOriginPolicy = true;
  server = await createTestApp({ standIns: ['stripe', 'paypal'] });
  bare = await createTestApp();
});
afterAll(async () => {
  await server.close();
  await bare.close();
});
beforeEach(async () => {
  me = await createUser(server.ctx);
});

const show = (address = '/seller-onboarding', intercept?: Intercept) =>
  renderWithServer(server, me, <SellerOnboardingPage />, { address, intercept });

const card = (name: string) => screen.findByRole('region', { name });

/** The seller finishes the set-up at PayPal with this outcome. */
async function finishPaypal(outcome: { emailConfirmed?: boolean; receivable?: boolean } = {}) {
  await server.trpc(me, 'mutation', 'sellers.createPaypalOnboardingLink');
  await server.sandbox?.paypal.finishOnboarding(trackingIdOf(me.id), outcome);
}

/** Stubs `window.open`, allowed or blocked. */
function windowOpens(isLet: boolean) {
  const opened = { opener: window, closed: false, close: vi.fn(), location: { replace: vi.fn() } };
  vi.spyOn(window, 'open').mockReturnValue(isLet ? (opened as unknown as Window) : null);
  return opened;
}

describe('the seller onboarding page', () => {
  it('offers both providers, and shows the fee [spec/3 2.40]', async () => {
    show();
    for (const name of ['Stripe', 'PayPal']) {
      const region = within(await card(name));
      region.getByText('Setup Required');
      region.getByRole('button', { name: new RegExp(`^Set up ${name}`) });
    }
    screen.getByText(/10% in total \(5% from the buyer and 5% from the seller\)/);
    screen.getByText(/For a bid of \$20\.00 CAD the buyer pays \$21\.00 CAD and you receive \$19\.00 CAD\./);
  });

  it('warns of an unconfirmed address and of a limited account [spec/3 2.26 2.27]', async () => {
    await finishPaypal({ emailConfirmed: false, receivable: false });
    show();
    const region = within(await card('PayPal'));
    region.getByText('Action Required');
    region.getByText('Email address not confirmed');
    region.getByText('Your account may be restricted');
    expect(region.getAllByRole('listitem')).toHaveLength(2);
  });

  it("shows PayPal's own status after the seller comes back, and cleans the address [spec/3 2.26]", async () => {
    await finishPaypal();
    show('/seller-onboarding?returned=paypal');
    const region = within(await card('PayPal'));
    region.getByText('Active');
    expect(region.queryByRole('button')).toBeNull();
    expect(screen.getByText('PayPal is ready').closest('[role=status]')).not.toBeNull();
    expect(address()).toBe('/seller-onboarding');
  });

  it('does not take the return from a provider as proof', async () => {
    show('/seller-onboarding?returned=stripe');
    await screen.findByText('Stripe is not set up yet');
    within(await card('Stripe')).getByText('Setup Required');
  });

  it('shows a link if the browser blocks the window', async () => {
    windowOpens(false);
    show();
    fireEvent.click(await screen.findByRole('button', { name: /^Set up PayPal/ }));
    const link = await screen.findByRole('link', { name: /Open PayPal here/ });
    expect(link.getAttribute('href')).toMatch(/\/sandbox\/paypal\//);
    expect(link.getAttribute('target')).toBe('_blank');
  });

  it("shows the server's error if no link can be created, and closes the window [spec/3 2.30]", async () => {
    const opened = windowOpens(true);
    show('/seller-onboarding', (procedure) =>
      procedure === 'sellers.createPaypalOnboardingLink' ? brokenAnswer() : undefined,
    );
    fireEvent.click(await screen.findByRole('button', { name: /^Set up PayPal/ }));
    await screen.findByText('Onboarding Failed');
    expect(opened.close).toHaveBeenCalled();
  });

  it("shows 'Payment System Unavailable' if no provider is configured", async () => {
    const person = await createUser(bare.ctx);
    renderWithServer(bare, person, <SellerOnboardingPage />);
    await screen.findByText('Payment System Unavailable');
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('the banner', () => {
  const KEY = () => `clipswap.seller-banner.${me.id}`;
  const banner = () => renderWithServer(server, me, <SellerBanner />);

  it('links a seller who cannot be paid to the set-up [spec/1 2.7]', async () => {
    banner();
    const link = await screen.findByRole('link', { name: 'Setup Now' });
    expect(link.getAttribute('href')).toBe('/seller-onboarding');
  });

  it('stays hidden until the next day [spec/1 2.8]', async () => {
    banner();
    fireEvent.click(await screen.findByRole('button', { name: 'Hide until tomorrow' }));
    expect(screen.queryByRole('complementary')).toBeNull();
    cleanup();
    let isAsked = false;
    renderWithServer(server, me, <SellerBanner />, {
      intercept: (procedure) => {
        isAsked ||= procedure === 'sellers.readiness';
        return undefined;
      },
    });
    expect(screen.queryByRole('complementary')).toBeNull();
    expect(isAsked).toBe(false);
    cleanup();
    window.localStorage.setItem(KEY(), '2020-01-01');
    banner();
    await screen.findByRole('complementary', { name: 'Selling' });
  });

  it('is hidden for sellers who can be paid, and without providers [spec/1 4.7]', async () => {
    await finishPaypal();
    await server.trpc(me, 'query', 'sellers.paypalStatus');
    for (const [site, person] of [
      [server, me],
      [bare, await createUser(bare.ctx)],
    ] as const) {
      let answers = 0;
      renderWithServer(site, person, <SellerBanner />, {
        intercept: () => {
          answers += 1;
          return undefined;
        },
      });
      await waitFor(() => expect(answers).toBe(1));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(screen.queryByRole('complementary')).toBeNull();
      cleanup();
    }
  });
});
