import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { brokenAnswer, type Intercept, renderWithServer } from '#tests/support/web/server.tsx';
import { SavedCards } from './card-list.tsx';
import { cardName, expiryText } from './card-wording.ts';

const server = setUpApp();
let me: Actor;

beforeEach(async () => {
  me = await createUser(server.ctx);
});

const show = (intercept?: Intercept) => renderWithServer(server, me, <SavedCards />, { intercept });

async function keepCard(lastFour: string, isDefault = false): Promise<void> {
  const now = server.ctx.clock();
  await server.ctx.db
    .insertInto('paymentMethods')
    .values({
      userId: me.id,
      tokenizedDetails: `pm_${me.id}_${lastFour}`,
      brand: 'visa',
      lastFour,
      expiryMonth: 4,
      expiryYear: 2100,
      isDefault,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
}

/** The list's row of a card. */
async function row(lastFour: string): Promise<HTMLElement> {
  const name = await screen.findByText(`Visa •••• ${lastFour}`);
  const item = name.closest('li');
  if (!item) throw new Error('the card is in no list');
  return item;
}

describe('saved cards', () => {
  it('can be made the default', async () => {
    await keepCard('4242', true);
    await keepCard('0005');
    show();
    within(await row('4242')).getByText('Default');
    within(await row('4242')).getByText('Expires 04/2100');
    press('Make default Visa ending in 0005');
    await screen.findByText('Default card changed');
    await waitFor(async () => within(await row('0005')).getByText('Default'));
    screen.getByRole('button', { name: 'Make default Visa ending in 4242' });
  });

  it('are removed after a confirmation, and the focus moves to the list', async () => {
    await keepCard('4242', true);
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Remove Visa ending in 4242' }));
    const dialog = await screen.findByRole('dialog', { name: 'Remove this card?' });
    press('Remove card', dialog);
    await screen.findByText('Card removed');
    await screen.findByText(/^You have no saved cards/);
    await waitFor(() => expect(document.activeElement?.id).toBe('saved-cards'));
  });

  it('stay if they cannot be removed', async () => {
    await keepCard('4242');
    show((procedure) => (procedure === 'payments.removePaymentMethod' ? brokenAnswer() : undefined));
    fireEvent.click(await screen.findByRole('button', { name: 'Remove Visa ending in 4242' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Remove card' }));
    await screen.findByText('Card not removed');
    await row('4242');
  });
});

describe('a saved card', () => {
  it.each([
    ['visa', 'Visa •••• 4242'],
    ['amex', 'American Express •••• 4242'],
    ['New Bank', 'New Bank •••• 4242'],
  ])('of %s is called %s', (brand, name) => {
    expect(cardName({ brand, lastFour: '4242' })).toBe(name);
  });

  it.each([
    [2030, 3, 'Expired 03/2030'],
    [2030, 4, 'Expires 04/2030'],
    [2029, 12, 'Expired 12/2029'],
    [2031, 1, 'Expires 01/2031'],
  ])('is valid until the end of its month: %i-%i', (expiryYear, expiryMonth, text) => {
    expect(expiryText({ expiryYear, expiryMonth }, new Date(2030, 3, 30)).text).toBe(text);
  });
});
