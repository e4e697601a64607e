import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MESSAGE_MAX, type Message } from '#contract/messages.ts';
import { TEXTS } from '#contract/texts.ts';
import type { Actor } from '#server/domains/context.ts';
import { createTestApp, type TestApp } from '#server/testing/app.ts';
import { createBid } from '#server/testing/bids.ts';
import { createCoupon, createUser } from '#server/testing/builders.ts';
import { move, propose } from '#server/testing/exchanges.ts';
import { Component as ExchangesPage } from '#web/pages/exchanges.tsx';
import { Component as MessagesPage } from '#web/pages/messages.tsx';
import { Component as MyBidsPage } from '#web/pages/my-bids.tsx';
import { brokenAnswer, type Intercept, renderWithServer } from '#web/testing/server.tsx';

let server: TestApp;
let rob: Actor;
let olga: Actor;

beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  rob = await createUser(server.ctx);
  olga = await createUser(server.ctx);
});

/** Rob asks for one of olga's coupons. @returns the exchange's id */
async function exchange(titles: { requested?: string; offered?: string; message?: string } = {}) {
  const { requested = 'Cake', offered = 'Tea', message = 'My tea for your cake?' } = titles;
  const coupons = {
    requested: await createCoupon(server.ctx, olga, { title: requested, value: 2_500 }),
    offered: await createCoupon(server.ctx, rob, { title: offered, value: 1_000 }),
  };
  return (await propose(server.ctx, rob, { ...coupons, message })).id;
}

async function write(who: Actor, exchangeId: number, content: string): Promise<Message> {
  const { statusCode, body } = await server.trpc(who, 'mutation', 'messages.send', {
    dealType: 'exchange',
    dealId: exchangeId,
    content,
  });
  expect(statusCode, body).toBe(200);
  return JSON.parse(body).result.data;
}

async function read(who: Actor, exchangeId: number): Promise<Message[]> {
  const { body } = await server.trpc(who, 'query', 'messages.list', {
    dealType: 'exchange',
    dealId: exchangeId,
  });
  return JSON.parse(body).result.data.items;
}

function show(who: Actor, address = '/messages', intercept?: Intercept) {
  return renderWithServer(server, who, <MessagesPage />, { address, intercept });
}

const log = () => screen.findByRole('log');
const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: /^Message to/ });
const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });
const type = async (text: string) => fireEvent.change(await field(), { target: { value: text } });
const row = (name: RegExp) => screen.findByRole('button', { name });

describe('the messages page', () => {
  it("has the heading 'Messages', and says how to start if there are none", async () => {
    show(rob);
    expect(screen.getByRole('heading', { level: 1, name: 'Messages' })).toBeTruthy();
    await screen.findByRole('heading', { name: TEXTS.messages.noneSelected });
    expect(screen.getByRole('link', { name: 'Browse Coupons' }).getAttribute('href')).toBe('/');
  });

  it('lists conversations by their last change: other party, time, both titles, status', async () => {
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

  it('selects the first conversation if none is selected, and shows all of it', async () => {
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
    expect(screen.getByTestId('address').textContent).toMatch(/^\/messages\?exchange=\d+$/);
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

  it("says 'No exchange selected' if the address has no valid conversation", async () => {
    await exchange();
    show(rob, '/messages?exchange=cake');
    await screen.findByRole('heading', { name: 'No exchange selected' });
  });

  it('does not open the conversations of others', async () => {
    const id = await exchange();
    show(await createUser(server.ctx), `/messages?exchange=${id}`);
    await screen.findByRole('heading', { name: 'This conversation was not found' });
  });

  it('shows an error and loads again on Retry', async () => {
    await exchange();
    let isBroken = true;
    show(rob, '/messages', (call) => (isBroken && call === 'messages.list' ? brokenAnswer() : undefined));
    await screen.findByText(TEXTS.messages.loadFailed);
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
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

  it('loads new messages on Refresh', async () => {
    const id = await exchange();
    show(rob);
    await log();
    await write(olga, id, 'Here I am.');
    expect(screen.queryByText('Here I am.')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    await within(await log()).findByText('Here I am.');
  });

  it('makes the messages at least 300 px high, and the field 60 px', () => {
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
    fireEvent.click(screen.getByRole('button', { name: 'Show older messages' }));
    await screen.findByText('message 1');
    expect(within(await log()).getAllByText(/^message \d+$/)).toHaveLength(52);
    expect(screen.queryByRole('button', { name: 'Show older messages' })).toBeNull();
  });
});

describe('sending a message', () => {
  it.each(['', '   \n '])('is disabled for %j', async (text) => {
    await exchange();
    show(rob);
    await type(`${text}x`);
    expect(sendButton().disabled).toBe(false);
    await type(text);
    expect(sendButton().disabled).toBe(true);
  });

  it("with Enter clears the field and shows 'Message sent'; Shift and Enter do not send", async () => {
    const id = await exchange();
    show(rob);
    await type('Hello olga');
    fireEvent.keyDown(await field(), { key: 'Enter', shiftKey: true });
    expect((await field()).value).toBe('Hello olga');
    fireEvent.keyDown(await field(), { key: 'Enter' });
    expect((await field()).value).toBe('');
    await screen.findByText(TEXTS.messages.sent);
    expect(within(await log()).getAllByText('Hello olga')).toHaveLength(1);
    expect((await read(olga, id)).map(({ content }) => content)).toEqual(['Hello olga']);
  });

  it('is disabled while another message is being sent', async () => {
    await exchange();
    show(rob);
    await type('One');
    fireEvent.click(sendButton());
    expect(await screen.findByText('Sending…')).toBeTruthy();
    await type('Two');
    expect(sendButton().disabled).toBe(true);
    await screen.findByText(TEXTS.messages.sent);
    expect(sendButton().disabled).toBe(false);
  });

  it('keeps the text after a failure; Retry uses the same key, so that it is stored once', async () => {
    const id = await exchange();
    let failures = 1;
    show(rob, '/messages', (call) => {
      if (call !== 'messages.send' || failures === 0) return undefined;
      failures -= 1;
      return brokenAnswer();
    });
    await type('Are you there?');
    fireEvent.click(sendButton());
    await screen.findByText(TEXTS.messages.sendFailed);
    expect(screen.getByText('Error')).toBeTruthy();
    await screen.findByText('Not sent');
    expect(within(await log()).getByText('Are you there?')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await screen.findByText(TEXTS.messages.sent);
    await waitFor(() => expect(screen.queryByText('Not sent')).toBeNull());
    expect(await read(olga, id)).toHaveLength(1);
  });

  it('is refused beyond 2,000 characters, with the number of them', async () => {
    await exchange();
    show(rob);
    await type('x'.repeat(MESSAGE_MAX - 3));
    await screen.findByText('3 characters left');
    await type('x'.repeat(MESSAGE_MAX + 2));
    await screen.findByText('2 characters too many');
    expect(sendButton().disabled).toBe(true);
  });

  it('keeps a draft for each conversation', async () => {
    const first = await exchange({ requested: 'Cake' });
    await exchange({ requested: 'Bread' });
    show(rob, `/messages?exchange=${first}`);
    await type('About the cake');
    fireEvent.click(await row(/Bread/));
    await waitFor(async () => expect((await field()).value).toBe(''));
    fireEvent.click(await row(/Cake/));
    await waitFor(async () => expect((await field()).value).toBe('About the cake'));
  });

  it.each(['rejected', 'cancelled'] as const)(
    'is blocked, with a note, once the exchange is %s',
    async (end) => {
      const id = await exchange();
      await move(server.ctx, end === 'rejected' ? olga : rob, id, end);
      show(rob);
      await screen.findByText(`This exchange has been ${end}. You cannot send more messages.`);
      expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
    },
  );

  it('shows that the exchange has ended meanwhile', async () => {
    const id = await exchange();
    show(rob);
    await type('Too late?');
    await move(server.ctx, olga, id, 'rejected');
    fireEvent.click(sendButton());
    await waitFor(() =>
      expect(screen.getAllByText(TEXTS.messages.closed('exchange', 'rejected'))).toHaveLength(2),
    );
    expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  });
});

describe('the messages dialog', () => {
  it('of an exchange shows both coupons, the request and the thread, and sends', async () => {
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
    await screen.findByText(TEXTS.messages.sent);
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
    await screen.findByText(TEXTS.messages.sent);
  });
});
