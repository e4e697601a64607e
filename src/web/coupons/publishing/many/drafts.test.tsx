import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LeftOut } from '#contract/coupons/left-out.ts';
import { BLANK_COUPON } from '#contract/coupons/read-coupons.ts';
import type { Actor } from '#server/context/context.ts';
import { sealDraft, sealReport } from '#server/coupons/drafts/view.ts';
import { openInboundMail } from '#server/providers/inbound-mail/open-inbound-mail.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { AddMany } from './add-many.tsx';

const inboundMail = {
  provider: 'postmark',
  domain: 'in.clipswap.example',
  secret: 'sixteen or more of it',
} as const;
const server = setUpApp({
  config: { inboundMail },
  providers: { inboundMail: openInboundMail(inboundMail) },
});
let me: Actor;

beforeEach(async () => {
  document.head.insertAdjacentHTML('beforeend', '<meta name="inbound-mail" content="in.clipswap.example">');
  me = await createUser(server.ctx);
});
afterEach(() => {
  document.querySelector('meta[name="inbound-mail"]')?.remove();
});

/** A mail of the viewer with a draft for each code. */
async function draftsOf(leftOut: LeftOut[], ...codes: string[]) {
  const { ctx } = server;
  const at = ctx.clock();
  const mail = {
    userId: me.id,
    messageKey: String(Math.random()).padEnd(64, '0').slice(0, 64),
    receivedAt: at,
  };
  const { id: mailId } = await ctx.db
    .insertInto('inboundMails')
    .values(mail)
    .returning('id')
    .executeTakeFirstOrThrow();
  const report = sealReport(ctx.vault, mailId, { leftOut, found: [] });
  await ctx.db.updateTable('inboundMails').set({ sealed: report }).where('id', '=', mailId).execute();
  for (const [index, code] of codes.entries()) {
    const coupon = {
      ...{ ...BLANK_COUPON, merchant: 'Roots', title: 'Ten off', value: '10', category: 'food' as const },
      ...{ hasNoExpiry: true, code },
    };
    const source = { from: 'Roots', subject: 'Your voucher' };
    const sealed = sealDraft(ctx.vault, mailId, { coupon, doubts: {}, picture: null }, source);
    await ctx.db
      .insertInto('couponDrafts')
      .values({ userId: me.id, place: index + 1, mailId, sealed, createdAt: at })
      .execute();
  }
}

const drafts = (...codes: string[]) => draftsOf([], ...codes);
const waiting = async () =>
  (await server.ctx.db.selectFrom('couponDrafts').select('id').where('userId', '=', me.id).execute()).length;
const open = () => renderWithServer(server, me, <AddMany />, { hasDataRouter: true });
const codes = () => screen.queryAllByLabelText('Code').map((cell) => (cell as HTMLInputElement).value);

it('drafts are rows: listing one or removing it ends it, and undoing brings the row back', async () => {
  await drafts('MAILED-1', 'MAILED-2');
  open();
  const second = within(await screen.findByRole('group', { name: 'Row 2' }));
  second.getByText('From your email. Roots: Your voucher');
  fireEvent.click(second.getByRole('button', { name: 'Remove row 2' }));
  await expect.poll(waiting).toBe(1);
  press('List 1 coupon');
  await screen.findByRole('heading', { name: '1 coupon listed' });
  expect(await waiting()).toBe(0);
  press('Undo all');
  await expect.poll(codes).toEqual(['MAILED-1']);
});

it('what was typed in a draft is kept over a reload, its code comes back, and one that ended elsewhere is gone', async () => {
  await drafts('MAILED-1', 'MAILED-2', 'MAILED-3');
  const { unmount } = open();
  const title = (nth: number) =>
    within(screen.getByRole('group', { name: `Row ${nth}` })).getByLabelText('Title');
  await screen.findByRole('group', { name: 'Row 3' });
  for (const nth of [1, 2]) fireEvent.change(title(nth), { target: { value: `Typed ${nth}` } });
  unmount();
  expect(JSON.stringify(sessionStorage)).not.toContain('MAILED');
  await server.ctx.db.deleteFrom('couponDrafts').where('userId', '=', me.id).where('place', '=', 2).execute();
  open();
  await expect.poll(codes).toEqual(['MAILED-1', 'MAILED-3']);
  expect((title(1) as HTMLInputElement).value).toBe('Typed 1');
});

it('what of their email was not read is said once', async () => {
  await draftsOf([{ what: 'file', name: 'letter.doc', why: 'type' }], 'MAILED-1', 'MAILED-2');
  open();
  await screen.findByText('What we left out of your email');
  expect(screen.getAllByText('We cannot read files like “letter.doc”.')).toHaveLength(1);
});
