import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { address } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { NotificationsMenu } from './notifications-menu.tsx';

const server = setUpApp();

const HOUR_MS = 3_600_000;

describe('the dropdown of notifications', () => {
  it('shows how long ago each was, with the exact local time in the title [spec/1 2.20]', async () => {
    const mia = await createUser(server.ctx);
    const now = Date.now();
    const times = [0, 2 * HOUR_MS, 26 * HOUR_MS, 3 * 24 * HOUR_MS, 9 * 24 * HOUR_MS].map(
      (ago) => new Date(now - ago),
    );
    await server.ctx.db
      .insertInto('notifications')
      .values(
        times.map((createdAt) => ({ userId: mia.id, type: 'other', content: 'News', link: '/', createdAt })),
      )
      .execute();
    renderWithServer(server, mia, <NotificationsMenu />);
    fireEvent.click(await screen.findByRole('button', { name: 'Notifications, 5 unread' }));
    const [first] = await screen.findAllByText('Just now');
    expect(first?.getAttribute('title')).toBe(formatDateTime(new Date(now).toISOString()));
    for (const text of [
      '2 hours ago',
      'Yesterday',
      '3 days ago',
      formatDate(times[4]?.toISOString() ?? ''),
    ]) {
      expect(screen.getByText(text)).toBeTruthy();
    }
  });

  it('shows the five newest, with unread ones in bold, and a badge with their count [spec/1 9.10]', async () => {
    const mia = await createUser(server.ctx);
    const now = Date.now();
    await server.ctx.db
      .insertInto('notifications')
      .values(
        Array.from({ length: 7 }, (_, index) => ({
          userId: mia.id,
          type: 'other',
          content: `News ${index}`,
          link: `/coupons/${index}`,
          // Two of the five newest are unread, and one of the others.
          isRead: ![5, 6, 0].includes(index),
          createdAt: new Date(now - (7 - index) * HOUR_MS),
        })),
      )
      .execute();
    renderWithServer(server, mia, <NotificationsMenu />);
    const bell = await screen.findByRole('button', { name: 'Notifications, 3 unread' });
    screen.getByText('3');
    fireEvent.click(bell);
    await screen.findByText('News 6');
    const rows = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(rows).toEqual([
      expect.stringContaining('News 6'),
      expect.stringContaining('News 5'),
      expect.stringContaining('News 4'),
      expect.stringContaining('News 3'),
      expect.stringContaining('News 2'),
      'View all notifications',
    ]);
    const weight = (text: string) => screen.getByText(text).style.fontWeight;
    expect([weight('News 5'), weight('News 4')]).toEqual(['700', '400']);
    fireEvent.click(screen.getByText('News 6'));
    // The opened notification is read, here and on the server.
    await screen.findByRole('button', { name: 'Notifications, 2 unread' });
    expect(address()).toBe('/coupons/6');
    await waitFor(async () => {
      const { body } = await server.trpc(mia, 'query', 'notifications.unreadCount');
      expect(JSON.parse(body).result.data.unread).toBe(2);
    });
  });

  it("shows 'You have no notifications', and links to all of them by 'View all notifications' [spec/1 2.21] [spec/2 2.31] [spec/3 2.7]", async () => {
    renderWithServer(server, await createUser(server.ctx), <NotificationsMenu />);
    fireEvent.click(await screen.findByRole('button', { name: 'Notifications' }));
    const menu = within(await screen.findByRole('menu'));
    await menu.findByText('You have no notifications');
    const all = menu.getByRole('menuitem', { name: 'View all notifications' });
    expect(all.getAttribute('href')).toBe('/notifications');
  });
});
