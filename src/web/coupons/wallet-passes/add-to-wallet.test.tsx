import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Toaster } from '#web/app/toaster.tsx';
import { AddToWallet } from './add-to-wallet.tsx';

const AGENTS = {
  iPhone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)',
  Mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
  Android: 'Mozilla/5.0 (Linux; Android 16; Pixel 10)',
};

const server = setUpApp({
  providers: {
    wallets: {
      apple: {
        passType: 'pass.example',
        draws: () => false,
        makePass: async () => Buffer.of(),
        push: async () => [],
      },
      google: null,
    },
  },
});
let owner: Actor;
let couponId: number;
beforeAll(async () => {
  owner = await createUser(server.ctx);
  couponId = (await createCoupon(server.ctx, owner)).id;
});
const setUp = (wallets: string) =>
  document.head.insertAdjacentHTML('beforeend', `<meta name="wallets" content="${wallets}">`);
const names = () => screen.queryAllByRole('button').map(({ textContent }) => textContent);
const show = () =>
  renderWithServer(
    server,
    owner,
    <>
      <AddToWallet couponId={couponId} />
      <Toaster />
    </>,
  );

beforeEach(() => {
  vi.stubGlobal('location', Object.assign(Object.create(window.location), { assign: vi.fn() }));
});
afterEach(() => {
  document.querySelector('meta[name="wallets"]')?.remove();
});

describe('the buttons', () => {
  it.each([
    ['apple google', 'iPhone', ['Add to Apple Wallet']],
    ['apple google', 'Mac', ['Add to Apple Wallet', 'Add to Google Wallet']],
    ['apple google', 'Android', ['Add to Google Wallet']],
    ['google', 'iPhone', []],
  ] as const)('where %s is set up, on %s: %j', (wallets, agent, expected) => {
    vi.stubGlobal('navigator', Object.create(navigator, { userAgent: { value: AGENTS[agent] } }));
    setUp(wallets);
    show();
    expect(names()).toEqual(expected);
  });

  it('are none where the operator has set up no wallet', () => {
    show();
    expect(names()).toEqual([]);
  });

  it('lead to the pass, or say why not', async () => {
    vi.stubGlobal('navigator', Object.create(navigator, { userAgent: { value: AGENTS.Mac } }));
    setUp('apple google');
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Add to Apple Wallet' }));
    await waitFor(() =>
      expect(window.location.assign).toHaveBeenCalledExactlyOnceWith(
        `/api/coupons/${couponId}/wallet-pass.pkpass`,
      ),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Add to Google Wallet' }));
    await screen.findByText('Not added to the wallet');
  });
});
