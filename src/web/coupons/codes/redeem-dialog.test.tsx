import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { press } from '#tests/support/web/acts.ts';
import { Opened, renderFor, somebody } from '#tests/support/web/render.tsx';
import { Toaster } from '#web/app/toaster.tsx';
import { type RedeemableCoupon, RedeemDialog } from './redeem-dialog.tsx';

const COUPON: RedeemableCoupon = {
  id: 5,
  title: 'Dinner',
  merchant: 'Maple & Rye',
  qrCodeUrl: '/api/coupons/5/qrcode',
  barcodeUrl: '/api/coupons/5/barcode',
  drawnQrCodeUrl: null,
  drawnBarcodeUrl: null,
  codePreview: 'MAPLE-…',
  isReserved: false,
  usedAt: null,
  updatedAt: '2026-11-01T12:00:00.000Z',
  ownerId: 1,
  reissuedAt: null,
};
const REVEALED = {
  id: 5,
  codeValue: 'MAPLE-2026-XL',
  code: 'MAPLE-2026-XL',
  pin: null,
  reveals: [
    {
      username: 'mia',
      profileImageUrl: null,
      keyName: null,
      revealedAt: '2026-11-01T12:00:00.000Z',
      reportedAt: null,
    },
  ],
};

function show(given: Partial<Parameters<typeof RedeemDialog>[0]> = {}, onClose = () => {}) {
  return renderFor(
    somebody(),
    <>
      <Opened onClose={onClose}>
        <RedeemDialog
          coupon={COUPON}
          till={null}
          revealed={REVEALED}
          error={null}
          offline={null}
          onRetry={vi.fn()}
          {...given}
        />
      </Opened>
      <Toaster />
    </>,
  );
}

const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent);
const chosen = () => screen.getByRole('tab', { selected: true }).textContent;

describe('the ways to redeem', () => {
  it.each([
    [{}, ['QR Code', 'Barcode', 'Code'], 'QR Code'],
    [{ qrCodeUrl: null }, ['Barcode', 'Code'], 'Barcode'],
    [{ qrCodeUrl: null, barcodeUrl: null }, ['Code'], 'Code'],
    [{ barcodeUrl: null, codePreview: null }, ['QR Code'], 'QR Code'],
  ])('without what %o lacks are %j, and it opens on %s [spec/1 2.14]', (lacking, names, first) => {
    show({ coupon: { ...COUPON, ...lacking } });
    expect(tabs()).toEqual(names);
    expect(chosen()).toBe(first);
    screen.getByText(TEXTS.redeem.text());
  });

  it('offer to draw the code last, and say that the shop may not take that [spec/1 2.14]', () => {
    const textOnly = { ...COUPON, qrCodeUrl: null, barcodeUrl: null };
    const { unmount } = show({ coupon: textOnly });
    expect(screen.queryByRole('button', { name: /^Show as/ })).toBeNull();
    unmount();
    const drawnUrls = { drawnQrCodeUrl: '/api/coupons/5/qrcode', drawnBarcodeUrl: '/api/coupons/5/barcode' };
    show({ coupon: { ...textOnly, ...drawnUrls } });
    expect(tabs()).toEqual(['Code']);
    expect(screen.queryByRole('img', { hidden: true })).toBeNull();
    for (const [name, address] of [
      ['QR code', '/api/coupons/5/qrcode'],
      ['barcode', '/api/coupons/5/barcode'],
    ] as const) {
      press(`Show as ${name}`);
      const picture = screen.getByAltText(`Code of Dinner, shown as ${name}`);
      expect(picture.getAttribute('src')).toContain(address);
      expect(screen.getAllByText('Made from the code; the merchant may not accept it')).toHaveLength(1);
    }
  });

  it('each show their hint [spec/1 2.15]', () => {
    show();
    screen.getByText(TEXTS.redeem.qrHint());
    fireEvent.click(screen.getByRole('tab', { name: 'Barcode' }));
    screen.getByText(TEXTS.redeem.barcodeHint());
    fireEvent.click(screen.getByRole('tab', { name: 'Code' }));
    screen.getByText(TEXTS.redeem.codeHint());
    expect(screen.getByLabelText('Coupon code').textContent).toBe('MAPLE-2026-XL');
  });

  it("copy the code: 'Code copied!', 'The coupon code has been copied to your clipboard.' [spec/1 2.30]", async () => {
    const writeText = vi.fn(async () => {});
    vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: { writeText } } }));
    show();
    fireEvent.click(screen.getByRole('tab', { name: 'Code' }));
    press('Copy Code');
    await screen.findByText('Code copied!');
    screen.getByText('The coupon code has been copied to your clipboard.');
    expect(writeText).toHaveBeenCalledExactlyOnceWith('MAPLE-2026-XL');
  });

  it('load no picture before the code: both are one recorded view', () => {
    show({ revealed: undefined });
    expect(document.querySelector('img')).toBeNull();
    expect(tabs()).toEqual(['QR Code', 'Barcode', 'Code']);
  });

  it('show a placeholder if a picture does not load [spec/1 2.16]', () => {
    show();
    const picture = screen.getByAltText('QR code of Dinner');
    expect(picture.getAttribute('src')).toMatch(/^\/api\/coupons\/5\/qrcode\?of=2026-11-01T12/);
    fireEvent.error(picture);
    screen.getByText(TEXTS.redeem.qrMissing());
    expect(screen.queryByAltText('QR code of Dinner')).toBeNull();
    fireEvent.click(screen.getByRole('tab', { name: 'Barcode' }));
    fireEvent.error(screen.getByAltText('Barcode of Dinner'));
    screen.getByText(TEXTS.redeem.barcodeMissing());
  });
});

describe('at a merchant with several codes', () => {
  const at = (clientX: number, clientY = 300) => ({ clientX, clientY });
  const swipe = (from: object, to: object, others: object[] = []) => {
    const picture = screen.getByAltText('QR code of Dinner');
    fireEvent.touchStart(picture, { touches: [from, ...others], changedTouches: [from] });
    fireEvent.touchEnd(picture, { touches: [], changedTouches: [to] });
  };
  const arrow = (key: string, name = 'Close') =>
    fireEvent.keyDown(screen.getByRole(name === 'Close' ? 'button' : 'tab', { name }), { key });

  it.each<[string, number | null, () => void]>([
    ['the next one', 2, () => press('Next')],
    ['the one before', 0, () => press('Previous')],
    ['the next one', 2, () => arrow('ArrowRight')],
    ['the one before', 0, () => arrow('ArrowLeft')],
    ['no other from a tab', null, () => arrow('ArrowRight', 'QR Code')],
    ['the next one', 2, () => swipe(at(300), at(200))],
    ['the one before', 0, () => swipe(at(100), at(200))],
    ['no other by scrolling', null, () => swipe(at(300, 600), at(200, 200))],
    ['no other with two fingers', null, () => swipe(at(300), at(200), [at(10)])],
  ])('the dialog goes to %s (%s)', (_what, place, act) => {
    const onGo = vi.fn();
    show({ till: { place: 1, count: 3, merchant: 'Maple & Rye', onGo } });
    screen.getByText('2 of 3 at Maple & Rye');
    act();
    expect(onGo.mock.calls).toEqual(place === null ? [] : [[place]]);
  });

  it('the dialog ends at the last one, whose button keeps the focus', () => {
    const onGo = vi.fn();
    show({ till: { place: 2, count: 3, merchant: 'Maple & Rye', onGo } });
    const next = screen.getByRole<HTMLButtonElement>('button', { name: 'Next' });
    expect([next.disabled, next.getAttribute('aria-disabled')]).toEqual([false, 'true']);
    fireEvent.click(next);
    expect(onGo).not.toHaveBeenCalled();
  });
});

describe('the dialog', () => {
  it('shows who has viewed the code, and only the code when enlarged', () => {
    show();
    screen.getByText('Who has seen this code');
    screen.getByText('mia');
    press('Enlarge for the checkout');
    expect(screen.queryByText('Who has seen this code')).toBeNull();
    screen.getByAltText('QR code of Dinner');
    press('Back to normal size');
    screen.getByText('Who has seen this code');
  });

  it('closes with its Close button [spec/1 2.31]', () => {
    const onClose = vi.fn();
    show({}, onClose);
    press('Close');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('shows an error if the code cannot be loaded', () => {
    const onRetry = vi.fn();
    show({ revealed: undefined, error: new Error('gone'), onRetry });
    press('Retry');
    expect(onRetry).toHaveBeenCalledOnce();
    expect(screen.queryByRole('tab')).toBeNull();
  });

  it('keeps the screen awake only while it is open', async () => {
    const release = vi.fn(async () => {});
    const lock = { release, released: false };
    const request = vi.fn(async () => lock);
    vi.stubGlobal('navigator', Object.create(navigator, { wakeLock: { value: { request } } }));
    const { unmount } = show();
    await waitFor(() => expect(request).toHaveBeenCalledExactlyOnceWith('screen'));
    // The browser releases the lock when the page is hidden, and does not request it again.
    lock.released = true;
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(request).toHaveBeenCalledTimes(2));
    unmount();
    await waitFor(() => expect(release).toHaveBeenCalled());
  });
});
