import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortOrLong } from '#tests/support/rounds.ts';
import { PATHS, type RandomCall, randomCall, runCalls, type Story } from './random-calls.ts';

/** `npm run calls` sets them; the short form always makes the same calls. */
const SEED = Number(process.env.CALLS_SEED ?? 1);
const MINUTES = Number(process.env.CALLS_MINUTES ?? shortOrLong(0, 20));
const CALLS_MAX = 250;
const MINUTE_MS = 60_000;
/** A shorter failure is looked for until then. */
const LIMIT_MS = (MINUTES || 5) * MINUTE_MS;

it(
  'any calls by anybody get an answer that fits, names the field at fault and shows no code',
  async () => {
    const successes: Story['successes'] = new Map();
    let calls = 0;
    let failure: Story = { lines: [], successes };
    const run = async (made: RandomCall[]) => {
      const story: Story = { lines: [], successes };
      try {
        await runCalls(made, story);
      } catch (error) {
        failure = story;
        throw error;
      }
      calls += story.lines.length;
    };
    // With its bias fast-check would begin with short lists.
    const lists = fc.noBias(fc.array(randomCall, { minLength: 1, maxLength: CALLS_MAX, size: 'max' }));
    const { failed, errorInstance } = await fc.check(fc.asyncProperty(lists, run), {
      seed: SEED,
      numRuns: MINUTES > 0 ? Number.MAX_SAFE_INTEGER : 2,
      interruptAfterTimeLimit: LIMIT_MS,
    });
    if (MINUTES > 0 && !failed) {
      const never = PATHS.filter((path) => !successes.has(path));
      process.stdout.write(`${calls} calls; never accepted: ${never.join(', ')}\n`);
    }
    if (failed)
      expect.fail(
        `npm run calls -- --seed ${SEED} --minutes ${MINUTES}\n${failure.lines.join('\n')}\n${errorInstance}`,
      );
  },
  2 * LIMIT_MS,
);
