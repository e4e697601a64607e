import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { makeExports } from '#server/oversight/data-exports/service.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { dialog, press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { DataExport } from './data-export.tsx';

const server = setUpApp();

it('asks for a copy, with the codes after the password, and offers it for download', async () => {
  const me = await createUser(server.ctx);
  const { unmount } = renderWithServer(server, me, <DataExport />);
  await screen.findByRole('button', { name: 'Get a copy' });
  press('Get a copy');
  const box = await dialog('Get a copy of your data');
  const asking = within(box);
  expect(asking.queryByLabelText(/^Your password/)).toBeNull();
  fireEvent.click(asking.getByLabelText('Include the codes of my coupons'));
  press('Get a copy', box);
  await asking.findByText('Password required');
  fireEvent.change(asking.getByLabelText(/^Your password/), { target: { value: TEST_PASSWORD } });
  press('Get a copy', box);
  await screen.findByText(/^We are making your copy/);

  await makeExports(server.ctx);
  unmount();
  const ready = renderWithServer(server, me, <DataExport />);
  await screen.findByText(/is ready, with the codes of your coupons/);
  const download = await screen.findByRole('link', { name: /^Download \(0\.1 MB\)$/ });
  expect(download.getAttribute('href')).toBe('/api/data-export/archive.zip');

  ready.unmount();
  await server.ctx.db
    .insertInto('secondFactors')
    .values({ userId: me.id, secret: Buffer.from('x'), createdAt: new Date(), enabledAt: new Date() })
    .execute();
  renderWithServer(server, me, <DataExport />);
  const asked = await screen.findByRole('link', { name: /^Download/ });
  await expect.poll(() => asked.hasAttribute('data-loading')).toBe(false);
  fireEvent.click(asked);
  await dialog('Confirm that it is you');
});
