import { TARGETS } from './targets.ts';

const target = TARGETS.find(({ name }) => name === process.env.FUZZ_TARGET);
if (!target) throw new Error('FUZZ_TARGET names no parser');

/** What Jazzer.js calls with one input after the other. */
export async function fuzz(input: Buffer): Promise<void> {
  await target?.parse(input);
}
