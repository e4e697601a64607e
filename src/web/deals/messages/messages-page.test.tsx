import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { createBid } from '#tests/support/bids.ts';
import { address, press } from '#tests/support/web/acts.ts';
import { setUpMessages } from '#tests/support/web/messages.tsx';
import { brokenAnswer, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as ExchangesPage } from '#web/pages/exchanges.tsx';
import { Component as MyBidsPage } from '#web/pages/my-bids.tsx';

const { server, rob, olga, exchange, write, read, show, log, sendButton, type, row } = setUpMessages();

describe('the messages page', () => {
  it("has the heading 'Messages', and says how to start if there are none [spec/2 2.17]", async () => {
    show(rob);
    expect(screen.getByRole('heading', { level: 1, name: 'Messages' })).toBeTruthy();
    await screen.findByRole('heading', { name: TEXTS.messages.noneSelected() });
    expect(screen.getByRole('link', { name: 'Browse Coupons' }).getAttribute('href')).toBe('/');
  });

  it('lists conversations by their last change: other party, time, both titles, status [spec/2 2.17]', async () => {
    await exchange({ requested: 'Older cake', offered: 'Older tea' });
    const id = await exchange({ requested: 'Cake', offered: 'Tea' });
    await write(olga, id, 'Gladly!');
    show(rob);
    await screen.findByText('Older cake');
    const rows = screen.getAllByRole('button', { name: /Pending/ });
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(new RegExp(`${olga.username}.*Cake.*Tea.*Gladly!.*Pending`)),
      expect.stringMatching(/Older cake.*Older tea.*Pending/),
    ]);
  });

  it('selects the first conversation if none is selected, and shows all of it [spec/2 2.19 2.23]', async () => {
    const id = await exchange();
    show(olga);
    const pane = await screen.findByRole('region', { name: 'Conversation' });
    const name = await within(pane).findByRole('link', { name: rob.username });
    expect(name.getAttribute('href')).toBe(`/users/${rob.id}`);
    expect(within(pane).getByText('Pending')).toBeTruthy();
    expect(within(pane).getByText(`Exchange #${id}`)).toBeTruthy();
    expect(within(pane).getByRole('button', { name: 'Refresh' })).toBeTruthy();
    expect(within(pane).getByText('$25.00 CAD')).toBeTruthy();
    expect(within(pane).getByText('$10.00 CAD')).toBeTruthy();
    expect(within(pane).getByText('My tea for your cake?')).toBeTruthy();
  });

  it('opens the conversation in the address, and another one on a press', async () => {
    const first = await exchange({ requested: 'Cake' });
    await exchange({ requested: 'Bread' });
    show(rob, `/messages?exchange=${first}`);
    await screen.findByText(`Exchange #${first}`);
    fireEvent.click(await row(/Bread/));
    await waitFor(() => expect(screen.queryByText(`Exchange #${first}`)).toBeNull());
    expect(address()).toMatch(/^\/messages\?exchange=\d+$/);
  });

  it('searches titles and names regardless of case', async () => {
    await exchange({ requested: 'Carrot cake' });
    await exchange({ requested: 'Rye bread' });
    show(rob);
    await row(/Carrot cake/);
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search messages' }), {
      target: { value: 'RYE' },
    });
    await waitFor(() => expect(screen.queryByRole('button', { name: /Carrot cake/ })).toBeNull());
    expect(await row(/Rye bread/)).toBeTruthy();
  });

  it("says 'No exchange selected' if the address has no valid conversation [spec/2 2.22]", async () => {
    await exchange();
    show(rob, '/messages?exchange=cake');
    await screen.findByRole('heading', { name: 'No exchange selected' });
  });

  it('shows an error and loads again on Retry [spec/2 7.13]', async () => {
    await exchange();
    let isBroken = true;
    show(rob, '/messages', (call) => (isBroken && call === 'messages.list' ? brokenAnswer() : undefined));
    await screen.findByText(TEXTS.messages.loadFailed());
    isBroken = false;
    press('Retry');
    await log();
  });

  it('marks visible messages as read, and the sender sees it', async () => {
    const id = await exchange();
    await write(olga, id, 'Is it still good?');
    show(rob);
    await within(await log()).findByText('Is it still good?');
    await waitFor(async () => expect((await read(olga, id))[0]?.isRead).toBe(true));
    cleanup();
    show(olga);
    await within(await log()).findByText('Read');
  });

  it('loads new messages on Refresh [spec/2 2.20]', async () => {
    const id = await exchange();
    show(rob);
    await log();
    await write(olga, id, 'Here I am.');
    expect(screen.queryByText('Here I am.')).toBeNull();
    press('Refresh');
    await within(await log()).findByText('Here I am.');
  });

  it('makes the messages at least 300 px high, and the field 60 px [spec/2 2.21]', () => {
    // happy-dom has no layout.
    const styles = readFileSync(path.join(import.meta.dirname, 'messages.module.css'), 'utf8');
    const rule = (name: string) => new RegExp(`^\\.${name} \\{[^}]*\\}`, 'm').exec(styles)?.[0];
    expect(rule('log')).toContain('min-height: 300px;');
    expect(rule('input')).toContain('min-height: 60px;');
  });

  it('loads older messages on demand', async () => {
    const id = await exchange();
    for (let number = 1; number <= 52; number += 1) {
      await server.ctx.db
        .insertInto('messages')
        .values({
          exchangeId: id,
          senderId: olga.id,
          receiverId: rob.id,
          content: `message ${number}`,
          createdAt: server.ctx.clock(),
        })
        .execute();
    }
    show(rob);
    await within(await log()).findByText('message 52');
    expect(screen.queryByText('message 2')).toBeNull();
    press('Show older messages');
    await screen.findByText('message 1');
    expect(within(await log()).getAllByText(/^message \d+$/)).toHaveLength(52);
    expect(screen.queryByRole('button', { name: 'Show older messages' })).toBeNull();
  });
});

describe('the messages dialog', () => {
  it('of an exchange shows both coupons, the request and the thread, and sends [spec/2 2.16]', async () => {
    const id = await exchange();
    await write(olga, id, 'Gladly!');
    renderWithServer(server, rob, <ExchangesPage />, { address: '/exchanges' });
    fireEvent.click(await screen.findByRole('button', { name: `Messages of exchange #${id}` }));
    const dialog = await screen.findByRole('dialog', { name: 'Messages' });
    await within(dialog).findByText('Gladly!');
    expect(within(dialog).getByRole('article', { name: 'Cake' })).toBeTruthy();
    expect(within(dialog).getByRole('article', { name: 'Tea' })).toBeTruthy();
    expect(within(dialog).getByText('My tea for your cake?')).toBeTruthy();
    await type('See you then');
    fireEvent.click(sendButton());
    await screen.findByText(TEXTS.messages.sent());
    expect((await read(olga, id)).at(-1)?.content).toBe('See you then');
  });

  it('of a bid shows its coupon, and sends', async () => {
    const { id, bidder } = await createBid(server.ctx);
    renderWithServer(server, bidder, <MyBidsPage />, { address: '/my-bids' });
    fireEvent.click(await screen.findByRole('button', { name: new RegExp(`^Messages of bid #${id} `) }));
    const dialog = await screen.findByRole('dialog', { name: 'Messages' });
    await within(dialog).findByText(`Bid #${id}`);
    await type('Is it still valid?');
    fireEvent.click(sendButton());
    await screen.findByText(TEXTS.messages.sent());
  });
});
