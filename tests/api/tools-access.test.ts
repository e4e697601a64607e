import { beforeAll, describe, expect, it } from 'vitest';
import { API_SCOPES, type ApiScope } from '#contract/people/api-keys.ts';
import { TOOLS } from '#server/rest/mcp/tools.ts';
import { createApiKey, scopesFor } from '#tests/support/api-keys.ts';
import { setUpApp } from '#tests/support/app.ts';
import { connectAssistant } from '#tests/support/assistants.ts';
import { bidOn } from '#tests/support/bids.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { propose } from '#tests/support/exchanges.ts';
import { KEY_HOLDERS, type KeyHolder, TOOL_ACCESS, type ToolWorld } from './tools-table.ts';

/** Checks the answer of every tool to each kind of person that can have a key, and to keys without one of its scopes. */

const test = setUpApp();
let world: ToolWorld;
beforeAll(async () => {
  const { ctx } = test;
  const people = {
    stranger: await createUser(ctx),
    counterpart: await createUser(ctx),
    owner: await createUser(ctx),
    moderator: await createUser(ctx, { role: 'moderator' }),
    admin: await createUser(ctx, { role: 'admin' }),
    suspended: await createUser(ctx, { status: 'suspended' }),
  };
  const couponIds = {} as Record<KeyHolder, number>;
  for (const person of KEY_HOLDERS)
    couponIds[person] = (await createCoupon(ctx, people[person], { code: `ZQX7-HUSH-HUSH${person}` })).id;
  const { owner, counterpart } = couponIds;
  const exchange = await propose(ctx, people.counterpart, {
    requested: { id: owner },
    offered: { id: counterpart },
  });
  const bid = await bidOn(ctx, people.counterpart, { id: owner }, '4.00');
  const other = await createCoupon(ctx, await createUser(ctx));
  world = { people, couponIds, otherCouponId: other.id, exchangeId: exchange.id, bidId: bid.id };
});

const callAs = async (person: KeyHolder, row: string, scopes: readonly ApiScope[]) => {
  const { token } = await createApiKey(test.ctx, world.people[person], { scopes });
  const { call } = await connectAssistant(test, token);
  return call(row.split(' ')[0] ?? '', TOOL_ACCESS[row]?.input?.(world, person));
};

it('has a row for every tool, and none for what is not there', () => {
  const rows = new Set(Object.keys(TOOL_ACCESS).map((row) => row.split(' ')[0]));
  expect([...rows].sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});

describe.each(Object.entries(TOOL_ACCESS))('%s', (row, { answers, scopes }) => {
  it.each(KEY_HOLDERS)('by a key of all scopes: %s', async (person) => {
    const answer = await callAs(person, row, scopesFor(world.people[person]));
    const said = answer.isError ? Object(answer.json).code : 'ok';
    expect(said, answer.text).toBe(answers[person]);
    expect(answer.text).not.toMatch(/ZQX7|HUSH/);
  });

  it('by a key with its scopes alone: the owner', async () => {
    // A key has some scope; this one opens no tool.
    const answer = await callAs('owner', row, scopes.length > 0 ? scopes : ['profile:read']);
    // The same wish, swap or bid a second time is a conflict, which no scope refuses.
    const said = answer.isError ? Object(answer.json).code : 'ok';
    expect([answers.owner, 'conflict', 'exchange_exists', 'bid_exists'], answer.text).toContain(said);
  });

  it.each(scopes)('by a key without the scope %s: nobody', async (scope) => {
    const answer = await callAs(
      'owner',
      row,
      API_SCOPES.filter((given) => given !== scope),
    );
    expect([answer.isError, Object(answer.json).code]).toEqual([true, 'forbidden']);
    expect(answer.text).toContain(scope);
  });
});
