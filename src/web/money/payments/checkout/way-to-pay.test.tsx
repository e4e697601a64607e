import { act, renderHook, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { Toaster } from '#web/app/toaster.tsx';
import { type AttemptResult, usePaymentAttempt } from './way-to-pay.tsx';

function start() {
  renderFor(somebody(), <Toaster />);
  const busy: boolean[] = [];
  const { result } = renderHook(() => usePaymentAttempt((isBusy) => busy.push(isBusy)));
  const attempt = (pay: () => Promise<AttemptResult>) => act(() => result.current.attempt(pay));
  return { busy, attempt, failure: () => result.current.failure };
}

it("shows a failure with the provider's text, beside the form and in a toast [spec/2 8.9]", async () => {
  const { attempt, failure, busy } = start();
  await attempt(async () => ({ isPaid: false, message: 'Your card was declined.' }));
  expect(failure()).toBe('Your card was declined.');
  expect((await screen.findByRole('alert')).textContent).toBe('Payment FailedYour card was declined.');
  expect(busy).toEqual([true, false]);
});

it('shows a fallback if the provider gives no text, as without a network', async () => {
  const { attempt, failure } = start();
  await attempt(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(failure()).toBe(TEXTS.checkout.unknownError());
  expect((await screen.findByRole('alert')).textContent).toContain(TEXTS.checkout.failedText());
});

it('shows no toast for incomplete fields, which the form marks itself', async () => {
  const { attempt, failure, busy } = start();
  await attempt(async () => ({ isPaid: false, message: 'Incomplete', isShown: true }));
  expect(failure()).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(busy).toEqual([true, false]);
});

it('pays once if the button is pressed twice', async () => {
  const { attempt } = start();
  let paid = 0;
  const pay = async (): Promise<AttemptResult> => {
    paid += 1;
    return { isPaid: true };
  };
  await Promise.all([attempt(pay), attempt(pay)]);
  expect(paid).toBe(1);
});

it('stays busy after a payment, since the page is about to change', async () => {
  const { attempt, busy } = start();
  await attempt(async () => ({ isPaid: true }));
  expect(busy).toEqual([true]);
});
