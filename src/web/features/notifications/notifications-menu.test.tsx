import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '#server/testing/app.ts';
import { createUser } from '#server/testing/builders.ts';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { renderWithServer } from '#web/testing/server.tsx';
import { NotificationsMenu } from './notifications-menu.tsx';

let server: TestApp;

beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());
afterEach(cleanup);

const HOUR_MS = 3_600_000;

describe('the dropdown of notifications', () => {
  it('says how long ago each was, and the exact local time to whoever points at it', async () => {
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
});
