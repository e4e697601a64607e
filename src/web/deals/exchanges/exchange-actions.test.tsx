import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Exchange } from '#contract/deals/exchanges.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { dialog, press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as ExchangesPage } from '#web/pages/exchanges.tsx';

/** What the page offers for an exchange, in each state and to each side. */

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

const MOVES = {
  pending: [],
  accepted: [['owner', 'accepted']],
  rejected: [['owner', 'rejected']],
  cancelled: [['requester', 'cancelled']],
  completed: [
    ['owner', 'accepted'],
    ['requester', 'completed'],
  ],
} as const;

/** Shows an exchange in this state to one side. @returns its row */
async function show(status: keyof typeof MOVES, side: 'requester' | 'owner'): Promise<HTMLElement> {
  const people = { requester, owner };
  const [requested, offered] = [
    await createCoupon(server.ctx, owner),
    await createCoupon(server.ctx, requester),
  ];
  const { id } = await as(requester, 'propose', {
    requestedCouponId: requested.id,
    offeredCouponId: offered.id,
  });
  for (const [who, to] of MOVES[status]) await as(people[who], 'setStatus', { id, status: to });
  renderWithServer(server, people[side], <ExchangesPage />, { address: '/exchanges' });
  await screen.findByRole('table');
  const row = screen.getAllByRole('row').at(-1);
  if (!row) throw new Error('the table has no row');
  return row;
}

describe('the actions of a row', () => {
  it.each([
    ['pending', 'requester', ['Change request', 'Cancel']],
    ['pending', 'owner', ['Accept', 'Reject', 'Make a counter-offer']],
    ['accepted', 'requester', ['Complete', 'Cancel']],
    ['accepted', 'owner', ['Complete', 'Cancel']],
    ['rejected', 'requester', []],
    ['cancelled', 'owner', []],
    ['completed', 'owner', []],
  ] as const)('of a %s exchange for its %s are %j [spec/2 2.3]', async (status, side, expected) => {
    const buttons = within(await show(status, side)).queryAllByRole('button');
    expect(buttons.map((button) => button.textContent)).toEqual([...expected, 'Messages', 'Details']);
  });

  it('ask before a completion, with what it means [spec/2 2.6]', async () => {
    press('Complete', await show('accepted', 'owner'));
    const question = await dialog('Complete Exchange');
    expect(question.textContent).toContain('Ownership of both coupons will transfer');
    expect(question.textContent).toMatch(/Both parties must agree.*cannot be undone/);
    press('Complete Exchange', question);
    await screen.findByRole('button', { name: 'Processing...' });
  });
});
