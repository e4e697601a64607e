import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderFor, somebody } from '#web/testing/render.tsx';
import { navigationFor, withUnread } from './navigation.ts';
import { TopLinks } from './top-links.tsx';

/** The browser of these tests lays nothing out: each letter is 10 px wide here. */
const LETTER = 10;
let room: number;

beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const width = this.tagName === 'NAV' ? room : (this.textContent ?? '').trim().length * LETTER;
    return new DOMRect(0, 0, width, 44);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const LINKS = navigationFor({ user: somebody(), isLoading: false });
const labels = LINKS.map(({ label }) => label);
const bar = () => screen.getByRole('navigation', { name: 'Main' });
const inBar = () =>
  within(bar())
    .getAllByRole('link')
    .map(({ textContent }) => textContent);

describe('the links of the bar', () => {
  it.each([
    [1, '1 unread message'],
    [3, '3 unread messages'],
  ])('say that %i messages wait unread, in the bar and on More where it hides them', (unread, name) => {
    room = 2_000;
    const links = withUnread(LINKS, unread);
    renderFor(somebody(), <TopLinks links={links} />);
    expect(screen.getByRole('link', { name: `Messages ${name}` })).toBeTruthy();
    cleanup();
    room = 300;
    renderFor(somebody(), <TopLinks links={links} />);
    expect(screen.getByRole('button', { name: `More ${name}` })).toBeTruthy();
  });

  it('are all there where there is room', () => {
    room = 2_000;
    renderFor(somebody(), <TopLinks links={LINKS} />);
    expect(inBar()).toEqual(labels);
    expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
  });

  it('go behind More from the last one where there is none, and none is lost', () => {
    room = 300;
    renderFor(somebody(), <TopLinks links={LINKS} />);
    expect(inBar()).toEqual(['Explore', 'Discover', 'My Coupons']);
    const more = screen.getByRole('button', { name: 'More' });
    fireEvent.click(more);
    expect(more.getAttribute('aria-expanded')).toBe('true');
    expect(inBar()).toEqual(labels);
    expect(screen.getByRole('link', { name: 'Transaction Logs' }).getAttribute('href')).toBe(
      '/transaction-logs',
    );
  });

  it('behind More are put away by Escape, by a press beside them, and by going on', () => {
    room = 300;
    renderFor(somebody(), <TopLinks links={LINKS} />);
    const more = screen.getByRole('button', { name: 'More' });
    const leave = [
      () => fireEvent.keyDown(screen.getByRole('link', { name: 'Bids' }), { key: 'Escape' }),
      () => fireEvent.mouseDown(document.body),
      () => fireEvent.click(screen.getByRole('link', { name: 'Bids' })),
      () => fireEvent.focusOut(more, { relatedTarget: screen.getByRole('link', { name: 'Explore' }) }),
    ];
    for (const each of leave) {
      fireEvent.click(more);
      expect(more.getAttribute('aria-expanded')).toBe('true');
      each();
      expect(more.getAttribute('aria-expanded')).toBe('false');
    }
  });

  it('show where one is, also behind More', () => {
    room = 300;
    renderFor(somebody(), <TopLinks links={LINKS} />, '/exchanges?tab=received');
    const more = screen.getByRole('button', { name: 'More' });
    expect(more.getAttribute('aria-current')).toBe('true');
    fireEvent.click(more);
    expect(screen.getByRole('link', { name: 'Exchanges' }).getAttribute('aria-current')).toBe('page');
  });

  it('More is not marked for a page that is in the bar', () => {
    room = 300;
    renderFor(somebody(), <TopLinks links={LINKS} />, '/discover');
    expect(screen.getByRole('button', { name: 'More' }).getAttribute('aria-current')).toBeNull();
    expect(screen.getByRole('link', { name: 'Discover' }).getAttribute('aria-current')).toBe('page');
  });
});

describe('who sees which', () => {
  const of = (viewer: Parameters<typeof navigationFor>[0]) => navigationFor(viewer).map(({ label }) => label);

  it('a visitor what is for everybody', () => {
    expect(of({ user: null, isLoading: false })).toEqual(['Explore', 'Discover', 'Validate', 'How It Works']);
  });

  it('while it is not known who is looking, what stays where it is for either', () => {
    const early = of({ user: null, isLoading: true });
    for (const viewer of [somebody(), null]) {
      expect(of({ user: viewer, isLoading: false }).slice(0, early.length)).toEqual(early);
    }
  });
});
