import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderFor } from '#tests/support/web/render.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { Toaster } from './toaster.tsx';

/** spec/1 section 1: one toast at a time, about five seconds, swiped away to the right by 50 px. */

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function swipe(element: Element, px: number, end: 'pointerup' | 'pointercancel' = 'pointerup') {
  const at = (type: string, clientX: number) =>
    new PointerEvent(type, { bubbles: true, pointerId: 1, button: 0, clientX, clientY: 10 });
  fireEvent(element, at('pointerdown', 100));
  fireEvent(document, at('pointermove', 100 + px / 2));
  fireEvent(document, at('pointermove', 100 + px));
  fireEvent(document, at(end, 100 + px));
}

beforeEach(() => {
  vi.useFakeTimers();
  renderFor(null, <Toaster />);
});
afterEach(async () => {
  await pass(10_000);
});

describe('a toast', () => {
  it('replaces the one before [spec/1 1.9]', async () => {
    act(() => toasts.success('First'));
    await pass(100);
    act(() => toasts.success('Second', 'and its text'));
    // The first one is still sliding out.
    await pass(300);
    expect(screen.queryByText('First')).toBeNull();
    expect(screen.getByText('Second')).toBeTruthy();
    expect(screen.getByText('and its text')).toBeTruthy();
  });

  it('stays for five seconds [spec/1 1.10]', async () => {
    act(() => toasts.neutral('Passing'));
    await pass(4_900);
    expect(screen.queryByText('Passing')).not.toBeNull();
    await pass(1_000);
    expect(screen.queryByText('Passing')).toBeNull();
  });

  it('is announced in a live region that was there before it; a failure is an alert', async () => {
    const region = document.querySelector('[aria-live="polite"]');
    act(() => toasts.success('Done'));
    await pass(0);
    expect(region?.contains(screen.getByRole('status'))).toBe(true);
    act(() => toasts.failure('Failed'));
    await pass(0);
    expect(screen.getByRole('alert').textContent).toContain('Failed');
  });
});

it('a toast that gets higher, as by a late font, moves from above what it would cover then', async () => {
  const observed = new Map<Element, () => void>();
  class Observer {
    readonly #notify: () => void;
    constructor(notify: () => void) {
      this.#notify = notify;
    }
    observe(target: Element) {
      observed.set(target, this.#notify);
    }
    disconnect() {
      observed.clear();
    }
  }
  vi.stubGlobal('ResizeObserver', Observer);
  const button = document.body.appendChild(document.createElement('button'));
  button.getBoundingClientRect = () => new DOMRect(0, 160, 1_000, 40);
  act(() => toasts.success('Done'));
  await pass(100);
  const toast = [...observed.keys()].find(
    (target) => target.textContent.includes('Done') && target !== document.body,
  );
  const topAt = (height: number) => {
    vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(height);
    if (toast) observed.get(toast)?.();
    return document.querySelector<HTMLElement>('[aria-live="polite"]')?.style.getPropertyValue('--toast-top');
  };
  expect([topAt(50), topAt(60)]).toEqual(['108px', '208px']);
  button.remove();
});

describe('a press', () => {
  const press = (element: Element, type: string) =>
    fireEvent(element, new PointerEvent(type, { bubbles: true }));
  const isPassedThrough = () => screen.getByText('Underneath').closest('[data-press-beside]') !== null;

  it.each(['pointerup', 'pointercancel'])(
    'beside a toast goes through it until after %s, when the click comes [decisions 6.0.1]',
    async (end) => {
      press(document.body, 'pointerdown');
      act(() => toasts.success('Underneath'));
      await pass(1_000);
      expect(isPassedThrough()).toBe(true);
      press(document.body, end);
      await pass(100);
      expect(isPassedThrough()).toBe(true);
      await pass(1_000);
      expect(isPassedThrough()).toBe(false);
    },
  );

  it('on the toast is one of the toast', async () => {
    act(() => toasts.success('Underneath'));
    await pass(100);
    press(screen.getByText('Underneath'), 'pointerdown');
    expect(isPassedThrough()).toBe(false);
  });

  it('that begins soon after another is not cut short by its end', async () => {
    press(document.body, 'pointerdown');
    press(document.body, 'pointerup');
    await pass(200);
    press(document.body, 'pointerdown');
    act(() => toasts.success('Underneath'));
    await pass(1_000);
    expect(isPassedThrough()).toBe(true);
    press(document.body, 'pointerup');
  });
});

describe('a swipe', () => {
  it.each([
    [50, 'pointerup', false],
    [120, 'pointerup', false],
    [49, 'pointerup', true],
    [-120, 'pointerup', true],
    [120, 'pointercancel', true],
  ] as const)('of %i px that ends with %s: stays %s', async (px, end, stays) => {
    act(() => toasts.success('Swipe me'));
    await pass(100);
    swipe(screen.getByText('Swipe me'), px, end);
    await pass(500);
    expect(screen.queryByText('Swipe me') !== null).toBe(stays);
  });
});
