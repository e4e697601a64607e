import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionUser } from '#contract/people/accounts.ts';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { accountLinksFor, drawerLinksFor, navigationFor, withCounts } from './navigation.ts';
import { fitting, TopLinks } from './top-links.tsx';

/** happy-dom has no layout: each letter counts as 10 px wide. */
const LETTER = 10;
let room: number;

beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    const width = this.tagName === 'NAV' ? room : (this.textContent ?? '').trim().length * LETTER;
    return new DOMRect(0, 0, width, 44);
  });
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
    [{ unread: 1, matches: 2, deals: 1 }, '1 unread message', '2 open matches', '1 deal needs you', '4'],
    [{ unread: 3, matches: 1, deals: 2 }, '3 unread messages', '1 open match', '2 deals need you', '6'],
  ])(
    'show %j in the bar, or together on More if it contains the links',
    (counts, messages, matches, deals, sum) => {
      room = 2_000;
      const links = withCounts(LINKS, counts);
      renderFor(somebody(), <TopLinks links={links} />);
      expect(screen.getByRole('link', { name: `Messages ${messages}` })).toBeTruthy();
      expect(screen.getByRole('link', { name: `Matches ${matches}` })).toBeTruthy();
      expect(screen.getByRole('link', { name: `Deals ${deals}` })).toBeTruthy();
      cleanup();
      room = 300;
      renderFor(somebody(), <TopLinks links={links} />);
      const more = screen.getByRole('button', { name: `More ${matches}, ${deals}, and ${messages}` });
      expect(within(more).getByText(sum)).toBeTruthy();
    },
  );

  it('of a member are seven entries with More, which has each other link once [spec/1 2.1] [decisions 6.2.3]', () => {
    room = 2_000;
    renderFor(somebody(), <TopLinks links={LINKS} />);
    const more = screen.getByRole('button', { name: 'More' });
    expect([...inBar(), more.textContent?.trim()]).toEqual([
      'Explore',
      'Discover',
      'My Coupons',
      'Matches',
      'Deals',
      'Messages',
      'More',
    ]);
    fireEvent.click(more);
    expect(inBar().slice(6)).toEqual([
      'Validate',
      'Leaderboard',
      'Transaction Logs',
      'How It Works',
      'Bids',
      'Exchanges',
      'Profile',
    ]);
  });

  it.each([
    ['moderator', ['Reports', 'Claims', 'Explore', 'Discover', 'My Coupons', 'Matches']],
    ['admin', ['Admin Dashboard', 'Reports', 'Claims', 'Explore', 'Discover', 'My Coupons']],
  ] as const)('begin with what a %s does, in no more entries', (role, expected) => {
    room = 2_000;
    const viewer = somebody({ role });
    renderFor(viewer, <TopLinks links={navigationFor({ user: viewer, isLoading: false })} />);
    expect(inBar()).toEqual(expected);
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    expect(inBar().toSorted()).toEqual([...new Set([...expected, ...labels])].toSorted());
  });

  it('of a visitor are all in the bar', () => {
    room = 2_000;
    const links = navigationFor({ user: null, isLoading: false });
    renderFor(null, <TopLinks links={links} />);
    expect(inBar()).toEqual(links.map(({ label }) => label));
    expect(screen.queryByRole('button', { name: 'More' })).toBeNull();
  });

  it('that do not fit are behind More, from the last one on', () => {
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

  it('behind More close on Escape, on a press outside, on navigation and on blur', () => {
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

  it('mark the current page, also behind More [spec/1 2.3]', () => {
    room = 300;
    renderFor(somebody(), <TopLinks links={LINKS} />, '/exchanges?tab=received');
    const more = screen.getByRole('button', { name: 'More' });
    expect(more.getAttribute('aria-current')).toBe('true');
    fireEvent.click(more);
    expect(screen.getByRole('link', { name: 'Exchanges' }).getAttribute('aria-current')).toBe('page');
  });
});

it.each(['/deals', '/my-bids', '/exchanges?exchange=3'])('at %s the bar marks Deals, and not More', (at) => {
  room = 600;
  renderFor(somebody(), <TopLinks links={LINKS} />, at);
  const marked = within(bar()).getAllByRole('link', { current: 'page' });
  expect(marked.map(({ textContent }) => textContent)).toEqual(['Deals']);
  expect(screen.getByRole('button', { name: 'More' }).getAttribute('aria-current')).toBeNull();
});

describe('the links of the header', () => {
  const of = (viewer: Parameters<typeof navigationFor>[0]) => navigationFor(viewer).map(({ label }) => label);

  it('show a visitor the public pages [spec/3 2.6] [decisions 6.2.1]', () => {
    expect(of({ user: null, isLoading: false })).toEqual(['Explore', 'Discover', 'Validate', 'How It Works']);
  });

  it('start with the same links before the viewer is known as afterwards', () => {
    const early = of({ user: null, isLoading: true });
    for (const viewer of [somebody(), null]) {
      expect(of({ user: viewer, isLoading: false }).slice(0, early.length)).toEqual(early);
    }
  });
});

const account = (user: SessionUser) => accountLinksFor(user).map(({ label }) => label);
const drawer = (user: SessionUser) =>
  drawerLinksFor(user, navigationFor({ user, isLoading: false })).map(({ label }) => label);

describe('the links by viewer', () => {
  it('include How It Works for everybody [spec/3 2.6]', () => {
    for (const user of [null, somebody()]) {
      expect(navigationFor({ user, isLoading: false })).toContainEqual({
        to: '/how-it-works',
        label: 'How It Works',
      });
    }
  });

  it('include the Admin Dashboard for admins only [spec/3 2.8]', () => {
    expect(account(somebody({ role: 'admin' }))).toContain('Admin Dashboard');
    expect(account(somebody({ role: 'moderator' }))).not.toContain('Admin Dashboard');
    expect(account(somebody())).not.toContain('Admin Dashboard');
  });

  it.each([
    [somebody({ role: 'moderator' }), true],
    [somebody({ role: 'admin' }), true],
    [somebody({ role: 'moderator', status: 'suspended' }), false],
    [somebody(), false],
  ])('include reports and claims for moderators and admins only [decisions 5.3.1]: %#', (user, expected) => {
    expect(['Reports', 'Claims'].map((label) => drawer(user).includes(label))).toEqual([expected, expected]);
  });

  it('stand in the drawer once each', () => {
    for (const role of ['user', 'moderator', 'admin'] as const) {
      const all = drawer(somebody({ role }));
      expect(all).toEqual([...new Set(all)]);
      expect(all).toEqual(expect.arrayContaining([...labels, 'Wish list', 'Settings', 'Get paid']));
    }
  });
});

const widths = { links: [80, 60, 100], more: 50, gap: 4 };

describe('the number of links that fit', () => {
  it.each([
    // 80 + 4 + 60 + 4 + 100
    [248, 3],
    [247.5, 2],
    // 80 + 4 + 60 + 4 + 50
    [198, 2],
    [197, 1],
    [134, 1],
    [133, 0],
    [0, 0],
  ])('in %d px is %d', (room, count) => {
    expect(fitting(room, widths)).toBe(count);
  });

  it('is never more than six beside More', () => {
    const wide = { ...widths, links: Array.from({ length: 8 }, () => 60) };
    expect(fitting(2_000, wide)).toBe(6);
    expect(fitting(2_000, { ...wide, links: wide.links.slice(1) })).toBe(7);
  });

  it('is 0 if there are none', () => {
    expect(fitting(100, { ...widths, links: [] })).toBe(0);
  });
});
