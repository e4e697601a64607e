import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect } from 'vitest';
import type { Message } from '#contract/deals/messages.ts';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { propose } from '#tests/support/exchanges.ts';
import { Component as MessagesPage } from '#web/pages/messages.tsx';
import { type Intercept, renderWithServer } from './server.tsx';

/** A server with two people, rob and olga (new before each test), and what the messages page shows. */
export function setUpMessages() {
  const server = setUpApp();
  const rob = {} as Actor;
  const olga = {} as Actor;

  beforeEach(async () => {
    Object.assign(rob, await createUser(server.ctx));
    Object.assign(olga, await createUser(server.ctx));
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

  return { server, rob, olga, exchange, write, read, show, log, field, sendButton, type, row };
}
