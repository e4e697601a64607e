import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { press } from '#tests/support/web/acts.ts';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { holdInstallPrompt } from '#web/lib/install-prompt.ts';
import { InstallOffer } from './install-offer.tsx';

afterEach(() => {
  Reflect.deleteProperty(navigator, 'standalone');
});

const offer = () => screen.queryByRole('complementary', { name: 'Install ClipSwap' });
const newcomer = somebody();
const dealt = somebody({ successfulExchanges: 1 });

it('on iOS says how, once, to members who have dealt', () => {
  Object.defineProperty(navigator, 'standalone', { value: false, configurable: true });
  const { unmount: leave } = renderFor(newcomer, <InstallOffer user={newcomer} />);
  expect(offer()).toBeNull();
  leave();
  const { unmount } = renderFor(dealt, <InstallOffer user={dealt} />);
  expect(offer()?.textContent).toBe('To install ClipSwap, press Share, then “Add to Home Screen”.');
  press('Do not install');
  expect(offer()).toBeNull();
  unmount();
  renderFor(dealt, <InstallOffer user={dealt} />);
  expect(offer()).toBeNull();
});

it('elsewhere opens the browser’s own offer, which was held back', () => {
  holdInstallPrompt();
  renderFor(dealt, <InstallOffer user={dealt} />);
  expect(offer()).toBeNull();
  const prompt = vi.fn(async () => {});
  const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
  act(() => void window.dispatchEvent(event));
  expect(event.defaultPrevented).toBe(true);
  press('Install ClipSwap');
  expect(prompt).toHaveBeenCalledOnce();
  expect(offer()).toBeNull();
});
