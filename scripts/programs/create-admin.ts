/**
 * `npm run create-admin -- --username X --email Y`: promotes the person with this username and e-mail address to
 * administrator, or registers them. Reads the password of a new one from the terminal without echo, from
 * CLIPSWAP_PASSWORD or from a pipe.
 */

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { registerInputSchema } from '#contract/people/accounts.ts';
import type { Context } from '#server/context/context.ts';
import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { unlimited } from '#server/core/rate-limit.ts';
import { addPerson, findByUsername, setRole } from '#server/people/accounts/service.ts';
import { openProgram } from '#server/program.ts';
import type { AppDeps } from '#server/trpc/context.ts';
import { toWire } from '#server/trpc/errors.ts';

const USAGE = 'Usage: npm run create-admin -- --username <name> --email <address>';

function readArguments(): { username: string; email: string } {
  const { values } = parseArgs({ options: { username: { type: 'string' }, email: { type: 'string' } } });
  if (!values.username || !values.email) throw new Error(`Give a user name and an e-mail address\n${USAGE}`);
  return { username: values.username, email: values.email };
}

/** Reads a line from the terminal without echo: readline writes to a stream that discards everything. */
async function askHidden(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const givenUp = new AbortController();
  // Ctrl-C and Ctrl-D close the terminal; without this the question would wait for ever.
  terminal.once('close', () => givenUp.abort());
  // The terminal no longer echoes from here on.
  process.stdout.write(question);
  try {
    return await terminal.question('', { signal: givenUp.signal });
  } catch {
    throw new Error('Given up; nothing was changed');
  } finally {
    terminal.close();
    process.stdout.write('\n');
  }
}

async function readPassword(): Promise<string> {
  const { CLIPSWAP_PASSWORD } = process.env;
  if (CLIPSWAP_PASSWORD) return CLIPSWAP_PASSWORD;
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const password = await askHidden('Password: ');
  if ((await askHidden('Once more: ')) !== password) throw new Error('The two passwords differ');
  return password;
}

/** The context of the command line: nobody signed in, no rate limits, no browser. */
function operatorContext(deps: AppDeps): Context {
  return { ...deps, actor: null, ip: 'create-admin', userAgent: '', limiter: unlimited };
}

/**
 * Promotes the person of this user name and address, or registers them.
 * @param askPassword called only for somebody new
 * @returns what was done, as a sentence
 */
export async function createAdmin(
  deps: AppDeps,
  { username, email }: { username: string; email: string },
  askPassword: () => Promise<string>,
): Promise<string> {
  const ctx = operatorContext(deps);
  const existing = await findByUsername(ctx, username);
  if (existing) {
    // The name may belong to another person; the e-mail address identifies the right one.
    if (existing.email.toLowerCase() !== email.toLowerCase()) {
      throw new Error(`${existing.username} is registered with another e-mail address; nothing was changed`);
    }
    if (existing.role === 'admin') return `${existing.username} is an administrator already.`;
    // Anybody may have registered with this name and an address that is not theirs.
    if (!existing.isEmailVerified) {
      throw new Error(`${existing.username} has not confirmed this address; nothing was changed`);
    }
    await setRole(ctx, username, 'admin');
    return `${existing.username} was ${existing.role} and is now an administrator.`;
  }
  const input = registerInputSchema.parse({
    username,
    email,
    password: await askPassword(),
    acceptTerms: true,
    isAdult: true,
  });
  await addPerson(ctx, input, { lastLoginAt: null }, async () => {});
  const admin = await setRole(ctx, input.username, 'admin');
  return `Registered ${admin.username} <${admin.email}> as an administrator.`;
}

async function run(): Promise<void> {
  const wanted = readArguments();
  const config = loadConfig();
  const program = await openProgram(config, createLogger({ ...config, logLevel: 'warn' }));
  try {
    console.log(await createAdmin(program.deps, wanted, readPassword));
  } finally {
    await program.close();
  }
}

/** The message of an error: a refusal, a wrong setting or argument, or the database. */
export function describeError(error: unknown): string {
  const wire = toWire(error);
  if (wire.code !== 'internal') return wire.error;
  return error instanceof Error ? error.message : String(error);
}

if (process.argv[1] === import.meta.filename) {
  run().catch((error: unknown) => {
    console.error(describeError(error));
    process.exitCode = 1;
  });
}
