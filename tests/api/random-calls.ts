import * as fc from 'fast-check';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Actor } from '#server/context/context.ts';
import { createLogger } from '#server/core/log.ts';
import { codeContext } from '#server/coupons/core/view.ts';
import { checkLedger } from '#server/money/books/ledger.ts';
import { REST_CALLS, type RestCall } from '#server/rest/table.ts';
import { appRouter } from '#server/router.ts';
import { createApiKey } from '#tests/support/api-keys.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { inputSchemaOf } from '#tests/support/input-schemas.ts';
import { checkInvariants } from '#tests/support/invariants.ts';
import { CODE, inputsOf, type JsonSchema, Seen } from './random-inputs.ts';
import { requestOf } from './rest-requests.ts';

const PEOPLE = ['anonymous', 'ann', 'bob', 'moderator', 'admin', 'suspended', 'key of ann'] as const;
type Person = (typeof PEOPLE)[number];

/** A call before the run: what it takes from earlier answers is not known yet. */
export interface RandomCall {
  readonly who: Person;
  readonly path: string;
  readonly input: Record<string, unknown> | undefined;
  /** By REST, where there is a line for it, instead of tRPC. */
  readonly isRest: boolean;
}

interface Definition {
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly inputs: z.ZodType[];
}

const PROCEDURES = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { readonly _def: Definition }>,
).flatMap(([path, { _def }]) => (_def.type === 'subscription' ? [] : [{ path, ..._def }]));

/** The names of all procedures. */
export const PATHS: readonly string[] = PROCEDURES.map(({ path }) => path);

/** What makes the things that the others are about, and what shows codes, comes more often. */
const OFTEN = [
  'coupons.create',
  'coupons.reveal',
  'bids.place',
  'bids.buy',
  'bids.setStatus',
  'bids.counter',
  'exchanges.propose',
  'exchanges.setStatus',
  'exchanges.counter',
  'payments.createIntent',
  'wants.create',
];

/** Half of the calls come from those who may succeed. */
const MEMBERS: readonly Person[] = ['ann', 'bob', 'key of ann', 'ann', 'bob', 'ann', 'bob'];
const STAFF: readonly Person[] = ['admin', 'admin', 'admin', 'admin', 'admin', 'moderator', 'moderator'];
const FOR_STAFF = /^(admin|settings|sources|operations|paymentIssues|moderation)\./;

const schemas = new Map<string, JsonSchema>();
for (const {
  path,
  inputs: [schema],
} of PROCEDURES)
  if (schema) schemas.set(path, inputSchemaOf(schema));

const typeOf = new Map(PROCEDURES.map(({ path, type }) => [path, type]));

/** One call of any kind by anybody. */
export const randomCall: fc.Arbitrary<RandomCall> = fc.oneof(
  ...PROCEDURES.map(({ path }) => {
    const schema = schemas.get(path);
    return {
      weight: OFTEN.includes(path) ? 12 : 1,
      arbitrary: fc.record({
        who: fc.constantFrom(...PEOPLE, ...(FOR_STAFF.test(path) ? STAFF : MEMBERS)),
        path: fc.constant(path),
        input: schema ? inputsOf(schema) : fc.constant(undefined),
        isRest: fc.boolean(),
      }),
    };
  }),
);

/** What earlier answers had, by name. */
type Memory = Map<string, unknown[]>;

const KEPT = 60;
const singular = (name: string) => name.replace(/ies$/, 'y').replace(/s$/, '');
/** Names of people's ids: each is one for all of them. */
const isPersonId = (name: string) =>
  /^(user|owner|bidder|seller|buyer|sender|receiver|requester|reporter|reportedUser|person|other|me)Id$/.test(
    name,
  );
const keyOf = (name: string) => (isPersonId(name) ? 'userId' : /Ids$/.test(name) ? name.slice(0, -1) : name);

function remember(memory: Memory, name: string, value: unknown, about: string): void {
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 5)) remember(memory, name, item, singular(name));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, held] of Object.entries(value))
      remember(
        memory,
        key === 'id' ? `${about}Id` : key,
        held,
        typeof held === 'object' ? singular(key) : about,
      );
  } else if (value !== null && typeof value !== 'boolean') {
    const key = keyOf(name);
    const known = memory.get(key) ?? [];
    if (!known.includes(value)) memory.set(key, [value, ...known].slice(0, KEPT));
  }
}

/** Puts earlier values into their places. */
function recall(memory: Memory, path: string, value: unknown): unknown {
  if (value instanceof Seen) {
    const name = keyOf(value.name === 'id' ? `${singular(path.split('.')[0] ?? '')}Id` : value.name);
    const known = memory.get(name) ?? [];
    return known.length > 0
      ? known[value.at % known.length]
      : /Ids?$/.test(name)
        ? 1 + (value.at % 10)
        : 'tea';
  }
  if (Array.isArray(value)) return value.map((item) => recall(memory, path, item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, held]) => [name, recall(memory, path, held)]),
    );
  return value;
}

/** A whole run, for people. */
export interface Story {
  readonly lines: string[];
  /** How often each procedure succeeded. */
  readonly successes: Map<string, number>;
}

interface World {
  readonly test: TestApp;
  readonly people: Readonly<Record<Person, Actor | null>>;
  readonly key: Record<string, string>;
  readonly memory: Memory;
  readonly logged: string[];
  /** Who has typed which code. */
  readonly typed: Map<string, Set<number | undefined>>;
}

async function openWorld(): Promise<World> {
  const logged: string[] = [];
  const log = createLogger(
    { logLevel: 'info', isProduction: true },
    { write: (line: string) => void logged.push(line) },
  );
  const test = await createTestApp({ standIns: ['stripe', 'paypal', 'mail'], log, connections: 10 });
  const { ctx } = test;
  const [ann, bob] = [await createUser(ctx), await createUser(ctx)];
  const people: World['people'] = {
    anonymous: null,
    ann,
    bob,
    moderator: await createUser(ctx, { role: 'moderator' }),
    admin: await createUser(ctx, { role: 'admin' }),
    suspended: await createUser(ctx, { status: 'suspended' }),
    'key of ann': ann,
  };
  const memory: Memory = new Map();
  for (const who of new Set(Object.values(people))) {
    if (!who) continue;
    remember(memory, 'user', { id: who.id, username: who.username }, 'user');
    const { id } = await createCoupon(ctx, who, { code: `SIM-OF${who.id}-Q7X` });
    remember(memory, 'coupon', { id }, 'coupon');
  }
  const { header } = await createApiKey(ctx, ann);
  return { test, people, key: header, memory, logged, typed: new Map() };
}

/** Longer texts are no part of an address: the answer is 414. */
const IN_PATH_MAX = 100;

/** The REST line of a procedure, if it has one that can say this input. */
function restLineOf(path: string, input: unknown): RestCall | undefined {
  const line = REST_CALLS.find(({ procedure, changesState }) => procedure === path && !changesState);
  const fields = Object.entries((input ?? {}) as Record<string, unknown>);
  const isSayable = ([name, value]: [string, unknown]) => {
    if (line?.path.includes(`:${name}`))
      return value !== '' && String(value).length <= IN_PATH_MAX && !/\p{Surrogate}/u.test(String(value));
    return line?.method !== 'GET' || String(value).length <= IN_PATH_MAX;
  };
  return line && Object.keys(line.input).length === 0 && fields.every(isSayable) ? line : undefined;
}

/** A broken promise, for people. */
class Broken extends Error {}

/** Answers that are no fault of ours, though their status says so: no provider is set up for it, or we are away. */
const EXPECTED_5XX = ['payments_unavailable', 'maintenance', 'outcome_unknown'];

/** Makes one call, and checks its answer. */
async function make(world: World, call: RandomCall, story: Story): Promise<void> {
  const { test, people, key, memory } = world;
  const { who, path } = call;
  const input = recall(memory, path, call.input);
  // Everybody but admins would be refused from here on.
  if (path === 'settings.change' && (input as { name?: unknown }).name === 'maintenance') return;
  const person = people[who];
  const headers = who === 'key of ann' ? key : {};
  const caller = who === 'key of ann' ? null : person;
  const text = JSON.stringify(input ?? null);
  for (const [code] of text.matchAll(CODE)) {
    const typists = world.typed.get(code) ?? new Set();
    world.typed.set(code, typists.add(person?.id));
  }
  const line = call.isRest ? restLineOf(path, input) : undefined;
  const type = typeOf.get(path) === 'mutation' ? 'mutation' : 'query';
  const about = `${who}: ${line ? `${line.method} ${line.path}` : path} ${text}`;
  let answer: Awaited<ReturnType<TestApp['call']>>;
  try {
    answer = line
      ? await test.call(caller, { ...requestOf(line, input), headers })
      : await test.trpc(caller, type, path, input, headers);
  } catch (error) {
    throw new Broken(`${about}\n${error instanceof Error ? error.message : error}`);
  }
  const { statusCode: status, body } = answer;
  story.lines.push(`${about} → ${status}`);
  await checkCodes(world, person?.id, body).catch((error: Error) => {
    throw new Broken(`${about}\n${error.message}: ${body}`);
  });
  if (status < 400) {
    story.successes.set(path, (story.successes.get(path) ?? 0) + 1);
    if (/json/.test(String(answer.headers['content-type']))) {
      const said = answer.json();
      const domain = singular(path.split('.')[0] ?? '');
      remember(memory, domain, line ? said : said.result?.data, domain);
    }
    return;
  }
  const said = answer.json();
  const wire = line ? said : said.error.data.wire;
  if (status >= 500 && !EXPECTED_5XX.includes(wire.code))
    throw new Broken(`${about}\nanswered ${status}: ${body}\n${world.logged.at(-1)}`);
  if (wire.code === 'bad_input' && !wire.issues?.length)
    throw new Broken(`${about}\nnames no field: ${body}`);
}

/** Nobody is told a code that was never theirs, unless they have typed it themselves. */
async function checkCodes({ test, typed }: World, who: number | undefined, body: string): Promise<void> {
  const shown = new Set(body.match(CODE)?.filter((code) => !typed.get(code)?.has(who)));
  if (shown.size === 0) return;
  const { rows } = await sql<{ id: number; code: Buffer }>`
    select coupon_id as id, code from coupon_secrets s where ${who ?? null}::int in (
      select owner_id from coupons where id = s.coupon_id
      union select from_user_id from coupon_transfers where coupon_id = s.coupon_id
      union select to_user_id from coupon_transfers where coupon_id = s.coupon_id)`.execute(test.database.db);
  for (const { id, code } of rows) shown.delete(test.ctx.vault.open(code, codeContext(id)));
  if (shown.size > 0) throw new Broken(`shows ${[...shown].join(', ')}`);
}

/**
 * Makes calls one after another in a new market.
 * @param story is filled with what was called
 * @throws Broken when an answer breaks a promise, or the data are wrong afterwards
 */
export async function runCalls(calls: readonly RandomCall[], story: Story): Promise<void> {
  const world = await openWorld();
  try {
    for (const call of calls) await make(world, call, story);
    const inLog = world.logged.find((line) => line.match(CODE));
    if (inLog) throw new Broken(`the log shows a code: ${inLog}`);
    const { db } = world.test.database;
    const rules = await checkInvariants(db);
    const books = await checkLedger(world.test.ctx);
    if (rules.length + books.broken.length > 0)
      throw new Broken(`the data are wrong: ${JSON.stringify([...rules, ...books.broken]).slice(0, 1_000)}`);
  } finally {
    await world.test.close();
  }
}
