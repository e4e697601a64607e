import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { sql } from 'kysely';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExposureEntry } from '#contract/oversight/proof-lines.ts';
import type { Actor } from '#server/context/context.ts';
import { revealCode } from '#server/coupons/codes/reveals.ts';
import { sign } from '#server/coupons/exposures/keys.ts';
import { issueStatement } from '#server/coupons/exposures/service.ts';
import { findChain } from '#server/coupons/exposures/store.ts';
import { makeRoot } from '#server/oversight/proofs/roots.ts';
import { setUpApp } from '#tests/support/app.ts';
import { actingAs, type TestCoupon } from '#tests/support/builders.ts';
import { move, propose, twoPeople } from '#tests/support/exchanges.ts';
import { press } from '#tests/support/web/acts.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as CouponPage } from '#web/pages/coupon.tsx';
import { Component as OpenBooksPage } from '#web/pages/open-books.tsx';
import { Component as ProofsPage } from '#web/pages/proofs.tsx';
import { differenceOf } from './judge.ts';

const server = setUpApp();
let lister: Actor;
let owner: Actor;
let coupon: TestCoupon;
let chain: string;
let statement: string;

beforeAll(async () => {
  const { ctx } = server;
  const people = await twoPeople(ctx);
  [lister, owner, coupon] = [people.owner, people.requester, people.requested];
  await revealCode(actingAs(ctx, lister), coupon.id);
  const { id } = await propose(ctx, owner, people);
  await move(ctx, lister, id, 'accepted');
  await move(ctx, lister, id, 'completed');
  ctx.clock.advanceDays(0.5);
  await revealCode(actingAs(ctx, owner), coupon.id);
  chain = (await findChain(ctx.db, coupon.id))?.id ?? '';
  ({ statement } = await issueStatement(actingAs(ctx, owner), coupon.id));
});
beforeEach(() => {
  vi.stubGlobal('fetch', async (url: string) => {
    const { body, statusCode } = await server.call(null, { method: 'GET', url });
    return new Response(body, { status: statusCode });
  });
});

const show = (page: 'proofs' | 'coupon' | 'books', who: Actor | null = null) =>
  renderWithServer(
    server,
    who,
    <Routes>
      <Route path="/proofs" element={<ProofsPage />} />
      <Route path="/open-books" element={<OpenBooksPage />} />
      <Route path="/coupons/:id" element={<CouponPage />} />
    </Routes>,
    { address: { proofs: '/proofs', books: '/open-books', coupon: `/coupons/${coupon.id}` }[page] },
  );

/** What the page says of a text. */
async function saidOf(text: string): Promise<string> {
  cleanup();
  show('proofs');
  fireEvent.change(screen.getByRole('textbox', { name: 'Statement' }), { target: { value: text } });
  press('Check statement');
  return (await screen.findByRole('alert', undefined, { timeout: 5_000 })).textContent ?? '';
}

const run = (statement: string) =>
  sql.raw(statement.replaceAll('$chain', `'${chain}'`)).execute(server.ctx.db);

describe('the page for statements', () => {
  it('says of a true one that it is, before and after its daily root, and what is in it', async () => {
    expect(await saidOf(statement)).toMatch(
      /^This statement is true.*exactly its 4 entries.*not part of a daily root yet/,
    );
    const shown = screen
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replace(/\w{3} \d+,.*/, ''));
    expect(shown.slice(0, 4)).toEqual([
      'ListedThe person who listed it',
      'ShownThe person who listed it',
      'Handed overOwner 2',
      'ShownOwner 2',
    ]);
    await makeRoot(server.ctx);
    expect(await saidOf(`  ${statement}\n`)).toMatch(/It is part of the daily root of \w+ \d+/);
  });

  it('stays true when something follows it, and tells nothing of that', async () => {
    server.ctx.clock.advanceDays(0.1);
    await revealCode(actingAs(server.ctx, owner), coupon.id);
    expect(await saidOf(statement)).toContain('exactly its 4 entries');
    expect(screen.queryAllByText('Owner 2')).toHaveLength(2);
  });

  it('tells what is not a statement, was changed, or is of another key', async () => {
    expect(await saidOf('hello')).toMatch(/^This is not a statement/);
    const [head, body = '', signature] = statement.split('.');
    const said = JSON.parse(Buffer.from(body, 'base64url').toString());
    const withEntries = (entries: unknown) =>
      `${head}.${Buffer.from(JSON.stringify({ ...said, entries })).toString('base64url')}.${signature}`;
    expect(await saidOf(withEntries(said.entries.slice(1)))).toMatch(/^This statement was changed/);
    // Signed by us, but it does not fit itself.
    const unfit = await sign(server.ctx, 'clipswap-exposure+jwt', { ...said, head: '1'.repeat(64) });
    expect(await saidOf(unfit)).toMatch(/^This statement was changed/);
    const unknown = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'clipswap-exposure+jwt', kid: 'x' }));
    expect(await saidOf(`${unknown.toString('base64url')}.${body}.${signature}`)).toMatch(
      /^Another key signed this/,
    );
    const root = await sign(server.ctx, 'clipswap-root+jwt', said);
    expect(await saidOf(root)).toMatch(/^This is not a statement/);
  });

  describe('finds in the records', () => {
    afterEach(async () => {
      await run('delete from exposure_entries where chain_id = $chain');
      await run('insert into exposure_entries select * from kept_entries');
    });
    beforeAll(async () => {
      await run('create table kept_entries as select * from exposure_entries where chain_id = $chain');
      await run('alter table exposure_entries disable trigger user');
    });

    it.each([
      [
        'a removed entry',
        ['delete from exposure_entries where chain_id = $chain and seq = 2'],
        'entry 2 was removed from our records',
      ],
      [
        'an altered entry',
        [`update exposure_entries set at = at - interval '1 hour' where chain_id = $chain and seq = 2`],
        'entry 2 was altered in our records',
      ],
      [
        'an added entry',
        [
          'update exposure_entries set seq = seq + 100 where chain_id = $chain and seq > 1',
          `insert into exposure_entries select chain_id, 2, 'kept', 1, at, hash from kept_entries where seq = 1`,
        ],
        'an entry was added to our records in front of entry 2',
      ],
      [
        'another order',
        [
          'update exposure_entries set seq = 200 where chain_id = $chain and seq = 2',
          'update exposure_entries set seq = 2 where chain_id = $chain and seq = 3',
          'update exposure_entries set seq = 3 where chain_id = $chain and seq = 200',
        ],
        'entries in another order, from entry 2 on',
      ],
      [
        'a lost end',
        ['delete from exposure_entries where chain_id = $chain and seq > 2'],
        'now end before entry 3',
      ],
    ])('%s', async (_what, statements, said) => {
      for (const change of statements) await run(change);
      expect(await saidOf(statement)).toMatch(new RegExp(`^Our records were changed.*${said}`));
    });

    it('that the whole chain is gone', async () => {
      for (const table of ['exposure_entries', 'exposure_people', 'exposure_codes', 'exposure_statements'])
        await run(`alter table ${table} drop constraint ${table}_chain_id_fkey`);
      await run('alter table exposure_chains disable trigger user');
      await run('create table kept_chain as select * from exposure_chains where id = $chain');
      await run('delete from exposure_chains where id = $chain');
      expect(await saidOf(statement)).toMatch(/^Our records have lost this code/);
      await run('insert into exposure_chains select * from kept_chain');
    });
  });
});

it('a difference is named by what it takes to undo it', () => {
  const entries = (kinds: string): ExposureEntry[] =>
    [...kinds].map((letter) => ({ kind: 'shown', person: 1, at: letter }));
  const differ = (said: string, now: string) => differenceOf(entries(said), entries(now));
  expect(differ('abcd', 'abcd')).toBeNull();
  expect(differ('abcd', 'abcdx')).toBeNull();
  expect(differ('abcd', 'ad')).toEqual({ kind: 'removed', place: 2, count: 2 });
  expect(differ('abcd', 'bcd')).toEqual({ kind: 'removed', place: 1, count: 1 });
  expect(differ('abcd', 'axyb')).toEqual({ kind: 'added', place: 2, count: 2 });
  expect(differ('abcd', 'abdc')).toEqual({ kind: 'reordered', place: 3 });
  expect(differ('abcd', 'ab')).toEqual({ kind: 'cut', place: 3 });
  expect(differ('abcd', '')).toEqual({ kind: 'cut', place: 1 });
  expect(differ('abcd', 'abxd')).toEqual({ kind: 'altered', place: 3 });
  expect(differ('abcd', 'abcx')).toEqual({ kind: 'altered', place: 4 });
});

describe('the page of a coupon', () => {
  const section = async () => within(await screen.findByRole('region', { name: 'Who has seen the code' }));

  it('tells its owner who has seen the code, and gives a statement', async () => {
    const made: Blob[] = [];
    // Otherwise the test's window goes to the file.
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      made.push(blob as Blob);
      return 'blob:made';
    });
    show('coupon', owner);
    const shown = await section();
    const people = shown.getAllByRole('listitem').map(({ textContent }) => textContent?.replace(/:.*/, ''));
    expect(people.slice(0, 3)).toEqual(['The person who listed it', 'You', 'Nobody else, here on ClipSwap']);
    fireEvent.click(shown.getByRole('button', { name: 'Download signed statement' }));
    await screen.findByText('Statement downloaded');
    expect(await saidOf((await made[0]?.text()) ?? '')).toMatch(/^This statement is true/);
    create.mockRestore();
    click.mockRestore();
  });

  it('tells others how many people have had the code, and nothing else', async () => {
    show('coupon', lister);
    const shown = await section();
    shown.getByText('Here, 2 people have had it, its owner included.');
    expect(shown.queryByRole('listitem')).toBeNull();
    expect(shown.queryByRole('button')).toBeNull();
  });
});

describe('the open books', () => {
  it('leave out small numbers, and are part of the daily root', async () => {
    show('books');
    const facts = (await screen.findAllByText('Completed swaps and rings')).map(
      ({ parentElement }) => parentElement?.textContent,
    );
    expect(facts[0]).toBe('Completed swaps and ringsFewer than 5');
    expect(screen.getAllByText('Claims that a code does not work')[0]?.parentElement?.textContent).toMatch(
      /0$/,
    );
    expect(document.body.textContent).toMatch(/daily root:.*[0-9a-f]{64}/);
  });
});
