import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { openSandbox, type Sandbox, sandboxSettings } from '#sandbox/main.ts';
import { openStore, type SandboxStore } from '#sandbox/store.ts';
import { environmentSchema } from '#server/core/environment.ts';
import { AppError } from '#server/core/errors.ts';
import { createLogger } from '#server/core/log.ts';
import { paypalOf, stripeOf } from '#server/core/provider-settings.ts';
import { databaseOver } from '#server/database/client.ts';
import { resolveSession, startSession } from '#server/people/sessions/sessions.ts';
import { openPayments } from '#server/providers/open-payments.ts';
import { ProviderUnreachable } from '#server/providers/payments.ts';
import type { Caller } from '#server/rest/caller.ts';
import { toWire } from '#server/trpc/errors.ts';
import {
  createTestClock,
  createTestContext,
  type TestClock,
  type TestContext,
} from '#tests/support/builders.ts';
import { connectTo, createTestDatabase } from '#tests/support/database.ts';
import { HANGS_MS } from '#tests/support/patience.ts';
import { callerOf } from '../market/callers.ts';
import { gather } from './cast.ts';
import { chance, choose } from './choices.ts';
import { scheduledPool } from './database.ts';
import { createMailServer } from './mail.ts';
import type { Odds } from './odds.ts';
import { createProgramme } from './programme.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import { newAddress, providerSteps, watchWire } from './wire.ts';

/** Connections of one program: enough that nobody waits for one. */
const CONNECTIONS = 32;
const PROGRAMS = ['first', 'second'] as const;
/** How far the clock moves with each step. */
const STEP_MS = 7;
/** The clock of a program is wrong by at most so much. */
const SKEW_MS = 5_000;

/** A program of the marketplace, which may die and be replaced. */
interface Program {
  readonly name: string;
  readonly ctx: TestContext;
  /** Gets a new access token of PayPal, if the old one is over. */
  readonly fetchToken: () => Promise<unknown> | undefined;
  isOver: boolean;
}

/** What somebody was told. */
interface Told {
  readonly who: number | null;
  readonly text: string;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Whether this is what a fault of the simulation does to a program. */
const isOutage = (error: unknown) =>
  error instanceof ProviderUnreachable ||
  (error instanceof AppError && ['unavailable', 'outcome_unknown'].includes(error.code));

/** How a call was refused. */
export class Refused extends Error {}

/** The same caller, which tells what each call has answered. */
function noting<Callable extends object>(caller: Callable, note: (answer: unknown) => void): Callable {
  return new Proxy(caller, {
    get: (inner, name) => noting(Reflect.get(inner, name) as object, note),
    async apply(inner, self, given) {
      const answer: unknown = await Reflect.apply(inner as () => unknown, self, given);
      note(answer);
      return answer;
    },
  });
}

/**
 * The marketplace for one run: two programs on one database, a sandbox of the payment providers, a mail server and people.
 */
export async function openWorld(given: {
  readonly seed: number;
  readonly odds: Odds;
  readonly note: (line: string) => void;
}) {
  const { seed, note } = given;
  const database = await createTestDatabase();
  const clock = createTestClock();
  /** Of this process, too: the stand-ins of the providers go by it. */
  const setClock = (instant: Date) => {
    clock.set(instant);
    vi.setSystemTime(instant);
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  const start = clock();
  setClock(start);
  let isFaulty = false;
  const control = connectTo(database, 1);
  const wire = watchWire();
  const scheduler: Scheduler = createScheduler({
    seed,
    wire,
    faultRate: () => (isFaulty ? given.odds.faultRate : 0),
    async locks() {
      const { rows } = await control.pool.query<{ holders: number[] }>(
        `select pg_blocking_pids(pid) as holders from pg_stat_activity
         where datname = current_database() and state = 'active' and cardinality(pg_blocking_pids(pid)) > 0`,
      );
      return { blocked: rows.length, holders: rows.flatMap(({ holders }) => holders) };
    },
    tick: () => setClock(new Date(clock().getTime() + STEP_MS)),
    note,
  });

  const { mails, mailerOf, know } = createMailServer(scheduler);
  const programme = createProgramme(seed, clock);
  const logged: string[] = [];
  const told: Told[] = [];
  /** Every code that was stored when somebody looked, and its coupons: also those that were erased since. */
  const codes = new Map<string, Set<number>>();
  const deadlocks: string[] = [];
  const log = createLogger(
    { logLevel: 'debug', isProduction: true },
    { write: (line: string) => void logged.push(line) },
  );

  const store: SandboxStore = openStore();
  /** Webhooks that are being answered, and by which program. */
  const answering = new Map<ServerResponse, string>();
  let received = 0;
  const webhooks = createServer((request, response) => {
    wire.arrive();
    void scheduler.adopt(async () => {
      received += 1;
      const program = programFor(`webhook ${received}`, 'call');
      answering.set(response, program.name);
      const body = await text(request);
      const provider = request.url?.endsWith('stripe') ? 'stripe' : 'paypal';
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter((one): one is [string, string] => typeof one[1] === 'string'),
      );
      try {
        await callerOf(program.ctx, null, {}, 'webhook').payments.receiveEvent({
          provider,
          headers,
          read: async () => body,
        });
        response.end('{}');
      } catch (error) {
        response.writeHead(toWire(error).code === 'bad_input' ? 400 : 503).end('{}');
      }
      answering.delete(response);
    });
  });
  webhooks.listen(0, '127.0.0.1');
  await once(webhooks, 'listening');
  const address = webhooks.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  const sandbox: Sandbox = await openSandbox({
    store,
    marketplace: () => `http://127.0.0.1:${port}`,
    publicUrl: 'http://localhost',
    webhooks: 'held',
    ...providerSteps(scheduler, wire),
  });
  const env = environmentSchema.parse(sandboxSettings(sandbox.url));
  const settings = { stripe: stripeOf(env), paypal: paypalOf(env) };

  /** The number of programs that were started, for the names of their connections. */
  let started = 0;
  async function startProgram(name: string): Promise<Program> {
    started += 1;
    const url = new URL(database.url);
    const application = `simulated-${started}`;
    url.searchParams.set('application_name', application);
    const { pool } = connectTo({ url: url.href }, CONNECTIONS);
    const life = {
      isOver: () => program.isOver,
      deadlock: (statement: string) => void deadlocks.push(statement),
      async end() {
        if (program.isOver) return;
        program.isOver = true;
        note(`— the ${name} program dies`);
        for (const [response, by] of answering) if (by === name) response.destroy();
        scheduler.abandon((task) => programOf.get(task) === name);
        // Ends them together: to wait for each in turn takes a tenth of a second of each.
        for (let left = 1; left > 0; ) {
          const { rows } = await control.pool.query(
            'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
            [application],
          );
          left = rows.length;
        }
      },
    };
    const payments = openPayments(settings, { timeoutMs: HANGS_MS, retryAfterMs: 0 });
    // All calls share one token, so that they would wait for each other: it is fetched apart.
    const fetchToken = () => payments.providers.paypal?.readAccount({ userId: 0, accountRef: null });
    await fetchToken();
    const base = createTestContext(
      { db: databaseOver(scheduledPool(pool, scheduler, life)) },
      {
        clock: wrongClock(name),
        providers: {
          payments: payments.providers,
          paymentClient: payments.client,
          mail: mailerOf(life),
          validators: programme.validators,
        },
      },
    );
    const program: Program = {
      name,
      fetchToken,
      ctx: {
        ...base,
        log,
        ip: newAddress(),
        config: { ...base.config, guarantee: { days: 42, reservePercent: 20 } },
      },
      isOver: false,
    };
    return program;
  }

  /** The clocks of two machines are never the same. */
  function wrongClock(name: string): TestClock {
    const skew = Math.round((2 * chance(seed, 'clock', name) - 1) * SKEW_MS);
    return Object.assign(() => new Date(clock().getTime() + skew), clock);
  }

  let programs: Program[] = [];
  /** In which program each task runs. */
  const programOf = new Map<string, string>();
  function programFor(task: string, about: string): Program {
    const program = choose(chance(seed, 'program', task, about), programs);
    programOf.set(task, program.name);
    return program;
  }

  // The test's own context, past the scheduler.
  const direct: TestContext = { ...createTestContext({ db: control.db }, { clock }), log };
  programs = await Promise.all(PROGRAMS.map(startProgram));
  const [setUp] = programs;
  if (!setUp) throw new Error('There is no program');
  const people = await gather(setUp.ctx, sandbox);
  const tokens = people.map(() => '');

  /** Signs in whoever may, before a moment begins. */
  async function signIn(who: number): Promise<void> {
    const person = people[who];
    if (!person) return;
    if (await resolveSession(direct, tokens[who] ?? '')) return;
    const row = await direct.db
      .selectFrom('users')
      .select(['status', 'deletedAt'])
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    tokens[who] =
      row.status === 'banned' || row.deletedAt !== null
        ? ''
        : (await startSession(direct.db, clock, person.id)).token;
  }

  return {
    seed,
    odds: given.odds,
    direct,
    clock,
    setClock,
    start,
    scheduler,
    sandbox,
    store,
    mails,
    programme,
    logged,
    told,
    codes,
    deadlocks,
    people,
    signIn,
    /** One of the programs, for what happens between two moments. */
    program: (): TestContext => choose(0, programs).ctx,
    /** Calls with a person's session in one of the programs, as a request does. @throws Refused */
    async callAs<Answer>(
      who: number | null,
      task: string,
      call: (caller: Caller) => Promise<Answer>,
    ): Promise<Answer> {
      const program = programFor(task, 'call');
      try {
        const token = who === null ? '' : (tokens[who] ?? '');
        const session = token === '' ? null : await resolveSession(program.ctx, token);
        const caller = callerOf(program.ctx, session?.actor ?? null, {}, task);
        return await call(noting(caller, (answer) => told.push({ who, text: JSON.stringify(answer) ?? '' })));
      } catch (error) {
        const wire = toWire(error);
        told.push({ who, text: JSON.stringify(wire) });
        if (wire.code === 'internal') throw error;
        throw new Refused(wire.code);
      }
    },
    /** Runs a job in one of the programs. @returns false when the database or a provider was not there: it has to run again */
    async runJob(task: string, run: (ctx: TestContext) => Promise<unknown>): Promise<boolean> {
      try {
        await run(programFor(task, 'job').ctx);
        return true;
      } catch (error) {
        if (!isOutage(error)) throw error;
        return false;
      }
    },
    /** Runs these tasks at once; afterwards, programs that have died are replaced. */
    async moment(
      works: readonly { readonly name: string; readonly work: () => Promise<unknown> }[],
      { isFaulty: faulty }: { readonly isFaulty: boolean },
    ): Promise<void> {
      for (const { fetchToken } of programs) await fetchToken();
      isFaulty = faulty;
      programOf.clear();
      await scheduler.run(works);
      know();
      isFaulty = false;
      programs = await Promise.all(
        programs.map((program) => (program.isOver ? startProgram(program.name) : program)),
      );
    },
    async close() {
      vi.useRealTimers();
      wire.close();
      await sandbox.close();
      webhooks.close();
      for (const { isOver, ctx } of programs) if (!isOver) await ctx.db.destroy();
      await control.close();
      await database.close();
    },
  };
}
