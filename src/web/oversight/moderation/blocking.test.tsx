import { fireEvent, screen, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import { press } from '#tests/support/web/acts.ts';
import { setUpMessages } from '#tests/support/web/messages.tsx';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as UserPage } from '#web/pages/user.tsx';
import { BlockedPeople } from './blocked-people.tsx';
import { ReportButton } from './report-button.tsx';

const { server, rob, olga, exchange, show } = setUpMessages();

const blockedBy = () =>
  server.ctx.db
    .selectFrom('userBlocks')
    .select(['blockerId', 'blockedId'])
    .where('blockerId', '=', olga.id)
    .execute();
const block = () => server.trpc(olga, 'mutation', 'blocks.add', { userId: rob.id });
const inDialog = async () => within(await screen.findByRole('dialog'));

describe('somebody is blocked', () => {
  beforeEach(async () => {
    await exchange();
  });

  it('on their profile, where it can be undone', async () => {
    const page = (
      <Routes>
        <Route path="/users/:id" element={<UserPage />} />
      </Routes>
    );
    renderWithServer(server, olga, page, { address: `/users/${rob.id}` });
    fireEvent.click(await screen.findByRole('button', { name: `Block ${rob.username}` }));
    const dialog = await inDialog();
    dialog.getByText(/Your pending deals with each other end; accepted ones continue/);
    fireEvent.click(dialog.getByRole('button', { name: 'Block' }));
    await screen.findByText(`${rob.username} is blocked`);
    expect(await blockedBy()).toEqual([{ blockerId: olga.id, blockedId: rob.id }]);
    fireEvent.click(await screen.findByRole('button', { name: `Unblock ${rob.username}` }));
    fireEvent.click((await inDialog()).getByRole('button', { name: 'Unblock' }));
    await screen.findByText(`${rob.username} is unblocked`);
    expect(await blockedBy()).toEqual([]);
  });

  it('in a conversation, which then takes no messages', async () => {
    const { id } = await server.ctx.db
      .selectFrom('exchangeParties')
      .select('exchangeId as id')
      .where('userId', '=', olga.id)
      .where('isAuthor', '=', false)
      .executeTakeFirstOrThrow();
    await server.trpc(olga, 'mutation', 'exchanges.setStatus', { id, status: 'accepted' });
    show(olga);
    await screen.findByRole('textbox', { name: /^Message to/ });
    fireEvent.click(await screen.findByRole('button', { name: `Block ${rob.username}` }));
    fireEvent.click((await inDialog()).getByRole('button', { name: 'Block' }));
    await screen.findByText(`You have blocked ${rob.username}. Unblock them to send messages.`);
    expect(screen.queryByRole('textbox', { name: /^Message to/ })).toBeNull();
  });

  it('with a report', async () => {
    renderWithServer(server, olga, <ReportButton userId={rob.id} username={rob.username} />);
    press(`Report ${rob.username}`);
    const dialog = await inDialog();
    fireEvent.change(dialog.getByRole('textbox', { name: /What happened/ }), {
      target: { value: 'He writes the same every day.' },
    });
    fireEvent.click(dialog.getByRole('checkbox', { name: `Also block ${rob.username}` }));
    fireEvent.click(dialog.getByRole('button', { name: 'Send report' }));
    await screen.findByText('Report sent');
    await expect.poll(blockedBy).toEqual([{ blockerId: olga.id, blockedId: rob.id }]);
  });
});

describe('the blocked people in the settings', () => {
  it('are unblocked there', async () => {
    await block();
    renderWithServer(server, olga, <BlockedPeople />);
    fireEvent.click(await screen.findByRole('button', { name: `Unblock ${rob.username}` }));
    await screen.findByText(/^You have not blocked anyone\./);
    expect(await blockedBy()).toEqual([]);
  });
});
