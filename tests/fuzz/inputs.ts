import type { Target } from './target.ts';

/** Makes an input of some length. */
type LongInput = (length: number) => Buffer;

/** Ways to long inputs: each part of the target's inputs repeated, alone and around a seed. */
export function longInputs({ parts, seeds }: Target): LongInput[] {
  const known = Buffer.from(seeds[0] ?? '');
  return parts.flatMap((part): LongInput[] => {
    const repeated = (length: number) => Buffer.alloc(length, Buffer.from(part));
    return [
      repeated,
      (length) => Buffer.concat([known, repeated(length)]),
      (length) => Buffer.concat([repeated(length), known]),
    ];
  });
}

/** Inputs made of known ones by small changes. The same `random` makes the same ones. */
export function changedInput(
  known: readonly Buffer[],
  parts: readonly string[],
  random: () => number,
): Buffer {
  const below = (count: number) => Math.floor(random() * count);
  const one = <Item>(items: readonly Item[]) => items[below(items.length)];
  let bytes = Buffer.from(one(known) ?? Buffer.of());
  for (let change = below(4); change >= 0; change -= 1) {
    const [at, end] = [below(bytes.length + 1), below(bytes.length + 1)];
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const other = one(known) ?? Buffer.of();
    const changed = [
      [before, Buffer.from(one(parts) ?? ''), after],
      [before, Buffer.of(below(256)), after.subarray(1)],
      [before, bytes.subarray(end)],
      [before, other.subarray(below(other.length + 1))],
    ];
    bytes = Buffer.concat(one(changed) ?? []);
  }
  return bytes;
}
