import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderFor } from '#tests/support/web/render.tsx';
import { Announcement } from './announcement.tsx';
import { expiryBadge } from './status-badge.tsx';
import { UserAvatar } from './user-avatar.tsx';

it('an announcement is made only when the count grows', () => {
  const at = (count: number | undefined) => (
    <MantineProvider env="test">
      <Announcement count={count} text={(now) => `${now} now`} />
    </MantineProvider>
  );
  const { rerender } = render(at(undefined));
  const announcement = () => screen.getByRole('status').textContent;
  expect(announcement()).toBe('');
  rerender(at(3));
  expect(announcement()).toBe('');
  rerender(at(4));
  expect(announcement()).toBe('4 now');
  rerender(at(2));
  expect(announcement()).toBe('');
});

it('an avatar without a picture is the initial of the name and loads nothing [spec/3 2.9]', () => {
  const { container } = renderFor(null, <UserAvatar username="mia" profileImageUrl={null} />);
  expect(container.querySelector('span')?.textContent).toBe('M');
  expect(container.querySelector('img, image, iframe, [style*="url("]')).toBeNull();
});

it('an avatar with a picture shows it alone, lazily and with its size [spec/1 3.17]', () => {
  const url = `/api/pictures/${'x'.repeat(22)}-256x256/256.webp`;
  const { container } = renderFor(null, <UserAvatar username="mia" profileImageUrl={url} size={40} />);
  expect(container.querySelector('span')?.textContent).toBe('');
  const picture = container.querySelector('img');
  const attributes = ['src', 'alt', 'width', 'height', 'loading'].map((name) => picture?.getAttribute(name));
  expect(attributes).toEqual([url, '', '256', '256', 'lazy']);
  expect(container.querySelector('source')?.sizes).toBe('40px');
});

/** spec/1 section 4, decisions 2.3. The evening of the 21st, UTC. */
const now = new Date('2026-11-21T21:00:00Z');

it.each([
  [null, 'success', 'No expiry'],
  ['2026-11-20', 'danger', 'Expired'],
  ['2026-11-21', 'danger', '1 days left'],
  ['2026-11-27', 'danger', '7 days left'],
  ['2026-11-28', 'warning', '8 days left'],
  ['2026-12-20', 'warning', '30 days left'],
  ['2026-12-21', 'neutral', '31 days left'],
  ['2027-11-20', 'neutral', '365 days left'],
  ['2027-11-21', 'neutral', 'Until Nov 21, 2027'],
])('a coupon that expires on %s has the badge %s: %s [spec/1 9.8]', (day, tone, text) => {
  const expiresAt = day && `${day}T23:59:59.999Z`;
  expect(expiryBadge({ expiryDate: day, expiresAt }, now)).toEqual({ tone, text });
});

it('days are counted to the end of the last day where it ends last [spec/1 4.3]', () => {
  // 22:31 in Vancouver.
  const evening = new Date('2026-11-22T06:31:00Z');
  const coupon = { expiryDate: '2026-11-21', expiresAt: '2026-11-22T07:59:59.999Z' };
  expect(expiryBadge(coupon, evening).text).toBe('1 days left');
  expect(expiryBadge(coupon, new Date('2026-11-22T08:00:00Z')).text).toBe('Expired');
  // The preview of a form does not know where its regions' last day ends last.
  expect(expiryBadge({ ...coupon, expiresAt: null }, evening).text).toBe('Until Nov 21, 2026');
});
