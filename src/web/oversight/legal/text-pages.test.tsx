import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_COOKIE } from '#contract/base/i18n.ts';
import { baseCurrency, formatMoney } from '#contract/base/money.ts';
import { DEFAULT_FEE_RATES, feesOf } from '#contract/money/fees.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { Footer } from '#web/app/footer.tsx';
import { createQueryClient } from '#web/lib/query-client.ts';
import { createTrpcClient, trpc } from '#web/lib/trpc.ts';
import { Component as AcceptableUsePolicyPage } from '#web/pages/acceptable-use-policy.tsx';
import { Component as HowItWorksPage } from '#web/pages/how-it-works.tsx';
import { Component as PrivacyPolicyPage } from '#web/pages/privacy-policy.tsx';
import { Component as TermsPage } from '#web/pages/terms.tsx';

const DOCUMENTS = [
  ['Terms and Conditions', <TermsPage key="terms" />],
  ['Privacy Policy', <PrivacyPolicyPage key="privacy" />],
  ['Acceptable Use Policy', <AcceptableUsePolicyPage key="use" />],
] as const;

const headings = () =>
  screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent?.replace(/^\d+\. /, ''));
const text = () => document.body.textContent ?? '';
const money = (cents: number) => formatMoney(cents, baseCurrency());

describe.each(DOCUMENTS)('the page %s', (title, page) => {
  it('is open to visitors, shows its date, and links home [spec/3 2.86 2.87]', () => {
    renderFor(null, page);
    screen.getByRole('heading', { level: 1, name: title });
    expect(text()).toMatch(/Last updated: \w{3} \d{1,2}, \d{4}/);
    expect(screen.getByRole('link', { name: 'Return to Home' }).getAttribute('href')).toBe('/');
  });

  it('says which language counts', () => {
    renderFor(null, page);
    expect(text()).toContain('have equal force; where they differ, the one you accepted applies');
  });

  it('says where to write for help', () => {
    const meta = document.head.appendChild(document.createElement('meta'));
    meta.name = 'support-email';
    meta.content = 'help@clipswap.example';
    renderFor(null, page);
    const link = screen.getByRole('link', { name: 'help@clipswap.example' });
    expect(link.getAttribute('href')).toBe('mailto:help@clipswap.example');
    meta.remove();
    cleanup();
    renderFor(null, page);
    expect(text()).toContain('Reply to any email from us');
  });

  it('has a table of contents that links to each section', () => {
    renderFor(null, page);
    const links = within(screen.getByRole('navigation', { name: 'Contents' })).getAllByRole('link');
    expect(links.map(({ textContent }) => textContent)).toEqual(headings().slice(1));
    for (const link of links) {
      const target = document.querySelector(link.getAttribute('href') ?? '');
      expect(target?.textContent, 'target').toContain(link.textContent);
    }
  });
});

describe('the terms', () => {
  it('name the fee from the contract, with a calculated example [spec/2 9.6] [spec/3 2.93]', () => {
    renderFor(null, <TermsPage />);
    expect(text()).toContain('platform fee of 5% from each party');
    const { buyerTotal, netAmount, platformFee } = feesOf(2_000, DEFAULT_FEE_RATES);
    const example = within(screen.getByRole('table'));
    const rows = example.getAllByRole('row').map(({ textContent }) => textContent);
    expect(rows).toContain(`The buyer pays${money(buyerTotal)}`);
    expect(rows).toContain(`The seller receives${money(netAmount)}`);
    expect(rows).toContain(`ClipSwap keeps${money(platformFee)}`);
  });

  it('state the minimum age of 18, third-party payments, binding bids and the protection [spec/2 9.7] [spec/3 2.92]', () => {
    renderFor(null, <TermsPage />);
    expect(text()).toContain('You must be at least 18 years old.');
    expect(text()).toContain('third-party payment providers');
    expect(text()).toContain('A bid is a binding offer');
    expect(text()).toContain(`the seller’s money is held for ${HOLD_HOURS} hours`);
    expect(text()).toContain('payments and fees are not refundable');
    expect(text()).toContain('The fee is not refundable');
    expect(text()).toContain('At the default rate of 5% the fee on a bid of $10.00 is $0.50 for each side.');
  });
});

it('the terms and the guide name the claim after a swap [spec/2 9.9]', () => {
  for (const page of [<TermsPage key="terms" />, <HowItWorksPage key="guide" />]) {
    renderFor(null, page);
    expect(text()).toMatch(/within 72 hours|72 hours to claim/);
    expect(text()).toContain('a code that was seen cannot be unseen');
    cleanup();
  }
});

it('the privacy policy states age, fee, payments and binding bids, as the terms do [spec/2 9.8]', () => {
  renderFor(null, <PrivacyPolicyPage />);
  expect(text()).toContain('at least 18 years old');
  expect(text()).toContain('platform fee of 5% from each party');
  expect(text()).toContain('third-party payment provider');
  expect(text()).toContain('Bids are binding offers');
});

it('the privacy policy names what keeps a language', () => {
  renderFor(null, <PrivacyPolicyPage />);
  expect(text()).toContain(`the cookie “${LANGUAGE_COOKIE}” keeps it for a year`);
  expect(text()).toContain('the language in which we write to you');
});

describe('the Acceptable Use Policy', () => {
  it('has the sections overview to contact [spec/3 2.88]', () => {
    renderFor(null, <AcceptableUsePolicyPage />);
    expect(headings().slice(1)).toEqual([
      'Overview',
      'Permitted uses',
      'Prohibited activities',
      'Content standards',
      'Legal compliance',
      'Enforcement',
      'Reporting',
      'Updates',
      'Contact',
    ]);
  });

  it('names the consequences of violations, 30 days for appeals, and 48 hours for answers [spec/3 2.89 2.90]', () => {
    renderFor(null, <AcceptableUsePolicyPage />);
    for (const words of [
      'warning',
      'suspension',
      'termination',
      'removal of a listing',
      'authorities, or legal',
    ]) {
      expect(text()).toContain(words);
    }
    expect(text()).toContain('appeal to support within 30 days');
    expect(text()).toContain('respond to messages within 48 hours');
  });
});

describe('fees that the operator has set', () => {
  it('are those that the page head names, in every text', () => {
    const meta = document.head.appendChild(document.createElement('meta'));
    meta.name = 'fee-rates';
    meta.content = '{"buyer":{"basisPoints":400,"minimum":50},"seller":{"basisPoints":650,"minimum":0}}';
    try {
      renderFor(null, <TermsPage />);
      const rates = '4%, at least $0.50 CAD from the buyer and 6.5% from the seller';
      expect(text()).toContain(`a platform fee of ${rates}`);
      expect(text()).toContain(`a sale costs ${rates}. Bids`);
      const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
      expect(rows).toEqual([
        'The buyer’s fee (4%, at least $0.50 CAD)$0.80 CAD',
        'The buyer pays$20.80 CAD',
        'The seller’s fee (6.5%)$1.30 CAD',
        'The seller receives$18.70 CAD',
        'ClipSwap keeps$2.10 CAD',
      ]);
      cleanup();
      renderFor(null, <HowItWorksPage />);
      screen.getByText(rates);
      expect(text()).toContain('your money is sent there: the bid less 6.5%.');
      expect(text()).not.toContain('5% from each party');
    } finally {
      meta.remove();
    }
  });
});

describe('How It Works', () => {
  it('shows the fees from the contract, and the buyer protection [spec/3 2.94]', () => {
    renderFor(null, <HowItWorksPage />);
    screen.getByRole('heading', { level: 1, name: 'How It Works' });
    screen.getByText('5% from each party');
    expect(text()).toContain(`we hold the seller’s money for ${HOLD_HOURS} hours`);
    screen.getByText(money(feesOf(2_000, DEFAULT_FEE_RATES).buyerTotal));
  });

  it('sends a visitor to sign in before adding a coupon, and a member straight to the dialog', () => {
    renderFor(null, <HowItWorksPage />);
    const href = () => screen.getByRole('link', { name: 'Add a Coupon' }).getAttribute('href');
    expect(href()).toBe(`/auth?from=${encodeURIComponent('/my-coupons?add=1')}`);
    cleanup();
    renderFor(somebody(), <HowItWorksPage />);
    expect(href()).toBe('/my-coupons?add=1');
  });
});

describe('the footer', () => {
  it('says that exchanges are free, and links to the three legal pages and How It Works [spec/1 1.16 2.26] [spec/3 2.91]', () => {
    const queryClient = createQueryClient();
    renderFor(
      null,
      <trpc.Provider client={createTrpcClient()} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <Footer />
        </QueryClientProvider>
      </trpc.Provider>,
    );
    screen.getByText('Exchanges are free on ClipSwap.');
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/how-it-works',
      '/risks',
      '/open-books',
      '/terms',
      '/privacy-policy',
      '/acceptable-use-policy',
      // This page in French.
      '/fr/',
    ]);
    screen.getByText(new RegExp(`© ${new Date().getFullYear()} ClipSwap`));
  });
});
