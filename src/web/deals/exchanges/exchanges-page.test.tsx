import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatMoney } from '#contract/base/money.ts';
import { TEXTS } from '#contract/base/texts.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { createRing } from '#tests/support/exchanges.ts';
import { address, dialog, press } from '#tests/support/web/acts.ts';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { Component as ExchangesPage } from '#web/pages/exchanges.tsx';

const server = setUpApp();
let requester: Actor;
let owner: Actor;

beforeEach(async () => {
  requester = await createUser(server.ctx);
  owner = await createUser(server.ctx);
});

/** Calls the server directly. */
async function as(who: Actor, procedure: string, input: unknown): Promise<Exchange> {
  const { statusCode, body } = await server.trpc(who, 'mutation', `exchanges.${procedure}`, input);
  expect(statusCode, body).toBe(200);
  return JSON.parse(body).result.data;
}

async function propose(message: string | null = null): Promise<Exchange> {
  const requested = await createCoupon(server.ctx, owner);
  const offered = await createCoupon(server.ctx, requester);
  return as(requester, 'propose', { requestedCouponId: requested.id, offeredCouponId: offered.id, message });
}

const move = (who: Actor, { id }: Exchange, status: string) => as(who, 'setStatus', { id, status });

function show(who: Actor, address = '/exchanges', intercept?: Intercept) {
  return renderWithServer(server, who, <ExchangesPage />, { address, intercept });
}

/** The row of the only exchange in the list. */
async function theRow(): Promise<HTMLElement> {
  await screen.findByRole('table');
  const row = screen.getAllByRole('row').at(-1);
  if (!row) throw new Error('the table has no row');
  return row;
}

const labels = (row: HTMLElement) =>
  within(row)
    .queryAllByRole('button')
    .map((button) => button.textContent);

describe('the page', () => {
  it('has cards in a window that is too narrow for a table with its buttons', async () => {
    await propose();
    const setWidth = (width: number) => Reflect.get(window, 'happyDOM').setViewport({ width });
    const { innerWidth } = window;
    setWidth(800);
    show(owner);
    await screen.findByRole('button', { name: /^Details/ });
    expect(screen.queryByRole('table')).toBeNull();
    setWidth(innerWidth);
  });

  it('has its heading, five tabs, the search and the columns of the table, with values, names and the date [spec/2 2.14]', async () => {
    const { createdAt, requestedCoupon, offeredCoupon } = await propose();
    show(owner);
    const row = await theRow();
    screen.getByRole('heading', { level: 1, name: 'Exchanges' });
    const names = (role: string) => screen.getAllByRole(role).map(({ textContent }) => textContent);
    expect(names('tab')).toEqual(['All', 'Requested', 'Received', 'Pending', 'Completed']);
    screen.getByPlaceholderText('Search exchanges...');
    expect(names('columnheader')).toEqual([
      'Requested Coupon',
      'Offered Coupon',
      'Users',
      'Date',
      'Status',
      'Actions',
    ]);
    const text = row.textContent ?? '';
    for (const coupon of [requestedCoupon, offeredCoupon]) {
      expect(text).toContain(coupon.title);
      expect(text).toContain(formatMoney(coupon.value, 'CAD'));
    }
    expect(text).toContain(requester.username);
    expect(text).toContain(owner.username);
    const date = new Date(createdAt);
    const month = date.toLocaleDateString('en-US', { month: 'short' });
    expect(text).toContain(`${month} ${date.getDate()}, ${date.getFullYear()}`);
  });
});

describe('an action', () => {
  it('asks for confirmation, then the list shows the result [spec/2 4.6]', async () => {
    await propose();
    show(owner);
    press('Accept', await theRow());
    const question = await dialog('Accept exchange');
    expect(question.textContent).toContain('The coupons are then reserved');
    press('Accept', question);
    await screen.findByText(TEXTS.exchanges.updated());
    expect(labels(await theRow())).toContain('Complete');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each(['requester', 'owner'] as const)(
    'that completes an exchange links the %s to the new coupon [spec/2 4.19]',
    async (side) => {
      const exchange = await propose();
      await move(owner, exchange, 'accepted');
      show(side === 'requester' ? requester : owner);
      press('Complete', await theRow());
      press('Complete Exchange', await dialog('Complete Exchange'));
      await screen.findByRole('button', { name: 'Processing...' });
      const detail = await dialog(`Exchange #${exchange.id}`);
      const link = await within(detail).findByRole('link', { name: 'See your new coupon' });
      const received = side === 'requester' ? exchange.requestedCoupon : exchange.offeredCoupon;
      expect(link.getAttribute('href')).toBe(`/my-coupons?coupon=${received.id}`);
      expect(address()).toBe(`/exchanges?exchange=${exchange.id}`);
    },
  );

  it('that comes too late shows the true state in the toast and the list [spec/2 4.3]', async () => {
    const exchange = await propose();
    show(owner);
    press('Accept', await theRow());
    const question = await dialog('Accept exchange');
    await move(requester, exchange, 'cancelled');
    press('Accept', question);
    await screen.findByText('This exchange is already cancelled.');
    expect(screen.getByText('Error')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(labels(await theRow())).toEqual(['Messages', 'Details']);
  });

  it('that fails for another reason can be tried again [spec/2 8.1]', async () => {
    await propose();
    let isBroken = true;
    show(owner, '/exchanges', (name) =>
      isBroken && name === 'exchanges.setStatus' ? brokenAnswer() : undefined,
    );
    press('Reject', await theRow());
    const question = await dialog('Reject exchange');
    press('Reject', question);
    await screen.findByText(TEXTS.exchanges.updateFailed());
    isBroken = false;
    press('Reject', question);
    await screen.findByText(TEXTS.exchanges.updated());
    expect(within(await theRow()).getByText('Rejected')).toBeTruthy();
  });

  it('that could not check a code goes on at the second press', async () => {
    await move(owner, await propose(), 'accepted');
    const wire = { error: 'The code could not be checked.', code: 'code_unchecked' };
    const data = { code: 'CONFLICT', httpStatus: 409, wire };
    show(owner, '/exchanges', (name, input) =>
      name === 'exchanges.setStatus' && !Object.hasOwn(input ?? {}, 'acknowledgeUnchecked')
        ? Response.json({ error: { message: wire.error, code: -32_603, data } }, { status: 409 })
        : undefined,
    );
    press('Complete', await theRow());
    const question = await dialog('Complete Exchange');
    press('Complete Exchange', question);
    await screen.findByText(wire.error);
    press('Complete Exchange', question);
    await screen.findByText(TEXTS.exchanges.updated());
  });

  it('that changes the offer sends the other coupon', async () => {
    const exchange = await propose('Please?');
    const better = await createCoupon(server.ctx, requester, { title: 'A better offer' });
    show(requester);
    press('Change request', await theRow());
    const form = await dialog('Change request');
    const choice = await within(form).findByRole('checkbox', { name: /A better offer/ });
    const offered = within(form).getByRole('group', { name: 'Your coupons to offer' });
    const before = within(offered).getByRole('checkbox', { checked: true });
    expect(before.getAttribute('aria-label')).toContain(exchange.offeredCoupon.title);
    fireEvent.click(before);
    fireEvent.click(choice);
    press('Save changes', form);
    await screen.findByText(TEXTS.exchanges.updated());
    const { body } = await server.trpc(requester, 'query', 'exchanges.byId', { id: exchange.id });
    expect(JSON.parse(body).result.data).toMatchObject({
      offeredCoupon: { id: better.id },
      message: 'Please?',
    });
  });
});

describe('the details', () => {
  it('open by a link even if the list does not contain the exchange', async () => {
    const exchange = await propose('Shall we?');
    show(owner, `/exchanges?tab=completed&exchange=${exchange.id}`);
    const detail = await dialog(`Exchange #${exchange.id}`);
    await within(detail).findByText('Shall we?');
    expect(detail.textContent).toContain('Expires on');
    expect(labels(detail)).toEqual(expect.arrayContaining(['Accept', 'Reject']));
  });

  it.each(['999999', 'nonsense'])('say that there is no exchange “%s”', async (id) => {
    show(owner, `/exchanges?exchange=${id}`);
    await screen.findByText('This exchange was not found');
    press('See your exchanges');
    await waitFor(() => expect(address()).toBe('/exchanges'));
  });
});

describe('a list without exchanges', () => {
  it('says that there are none, in every tab [spec/2 2.15]', async () => {
    show(owner, '/exchanges?tab=pending');
    await screen.findByText(TEXTS.exchanges.noneYet());
    expect(screen.getByText(TEXTS.exchanges.noneFound())).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Browse Coupons' }).getAttribute('href')).toBe('/');
  });

  it('asks somebody without a coupon for the first one', async () => {
    show(owner);
    await screen.findByText('List one coupon and see what you could get.');
    screen.getByRole('button', { name: 'Add a Coupon' });
    cleanup();
    await createCoupon(server.ctx, owner);
    show(owner);
    await screen.findByText(TEXTS.exchanges.noneYet());
    expect(screen.queryByRole('button', { name: 'Add a Coupon' })).toBeNull();
  });

  it('says that none match, and can show all [spec/2 2.4]', async () => {
    await propose();
    show(owner, '/exchanges?tab=completed&q=zzz');
    await screen.findByText(TEXTS.exchanges.noneMatch());
    expect(screen.getByRole('link', { name: 'Browse Coupons' })).toBeTruthy();
    press('Show all exchanges');
    await theRow();
    expect(address()).toBe('/exchanges');
  });

  it('shows an error and loads again on Retry [spec/2 2.5]', async () => {
    let isBroken = true;
    show(owner, '/exchanges', (name) => (isBroken && name === 'exchanges.list' ? brokenAnswer() : undefined));
    await screen.findByText(TEXTS.exchanges.loadFailed());
    isBroken = false;
    press('Retry');
    await screen.findByText(TEXTS.exchanges.noneYet());
  });
});

describe('tabs and search', () => {
  it('are kept in the address [spec/2 2.1]', async () => {
    await propose();
    show(owner);
    await theRow();
    // One row, with one "All".
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'All',
      'Requested',
      'Received',
      'Pending',
      'Completed',
    ]);
    expect(screen.getAllByText('All')).toHaveLength(1);
    fireEvent.click(screen.getByRole('tab', { name: 'Requested' }));
    await screen.findByText(TEXTS.exchanges.noneMatch());
    expect(address()).toBe('/exchanges?tab=requested');
    fireEvent.change(screen.getByRole('searchbox', { name: 'Search exchanges' }), {
      target: { value: ' tea ' },
    });
    await waitFor(() => expect(address()).toBe('/exchanges?tab=requested&q=tea'));
  });
});

describe('a ring', () => {
  it('shows all that changes hands and who has agreed, and is agreed to [decisions 3.15.24]', async () => {
    const { id, author, second, third } = await createRing(server.ctx);
    show(second.actor, `/exchanges?exchange=${id}`);
    const details = await dialog(`Exchange #${id}`);
    await within(details).findByText(/^Everyone has to agree by /);
    const [one, two, three] = [second, third, author].map(({ actor, coupon }) => ({
      name: actor.username,
      title: coupon.title,
    }));
    expect(details.textContent).toContain(
      `You give ${two?.name}: “${one?.title}”. ${two?.name} gives ${three?.name}: “${two?.title}”. ${three?.name} gives you: “${three?.title}”.`,
    );
    const agreed = () =>
      within(within(details).getByRole('list', { name: 'Who has agreed' }))
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent)
        .sort();
    expect(agreed()).toEqual([`${three?.name}Agreed`, `${two?.name}Not yet`, 'YouNot yet'].sort());
    press('Agree', details);
    press('Agree', await dialog('Agree to the ring'));
    await within(details).findByText(`You have agreed. Still to agree: ${two?.name}.`);
    expect(agreed()).toContain('YouAgreed');
    expect(within(details).queryByRole('button', { name: 'Agree' })).toBeNull();
    within(details).getByRole('button', { name: 'Decline' });
  });
});
