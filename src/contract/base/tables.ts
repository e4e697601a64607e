import { z } from 'zod';
import { daySchema, idSchema, pageRefSchema } from './primitives.ts';

const DIRECTIONS = ['desc', 'asc'] as const;

/** A column and a direction: 'name-asc'. */
export type SortOf<Column extends string> = `${Column}-${(typeof DIRECTIONS)[number]}`;

/** The orders of a list by each of its columns. */
export function sortSchema<const Column extends string>(...columns: readonly [Column, ...Column[]]) {
  const sorts = columns.flatMap((column) => DIRECTIONS.map((direction) => `${column}-${direction}` as const));
  return z.enum(sorts as [SortOf<Column>, ...SortOf<Column>[]]).optional();
}

/** The column and the direction of an order. */
export function partsOf<Column extends string>(sort: SortOf<Column>) {
  const [column, direction] = sort.split('-');
  return { column: column as Column, direction: direction as (typeof DIRECTIONS)[number] };
}

/** The first and the last day that a list covers, in UTC. */
export const daysOf = { from: daySchema.optional(), to: daySchema.optional() };

/** For an export, which reads a list in portions and without a count. */
export const portionOf = {
  page: pageRefSchema.default(1),
  limit: z.int().min(1).max(1_000).default(1_000),
};

/** A portion of an export. `nextCursor` leads to the next one and is null at the end. */
export function portionSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** What is decided for several rows at once. */
export const severalIdsSchema = z.array(idSchema).min(1).max(100);

/**
 * What became of one of several rows. refused: a rule was against it, and `text` says which. failed: something broke, and the
 * row may or may not have changed. not_tried: it came after one that failed.
 */
const rowOutcomeSchema = z.object({
  id: idSchema,
  outcome: z.enum(['done', 'refused', 'failed', 'not_tried']),
  text: z.string().nullable(),
});
export type RowOutcome = z.output<typeof rowOutcomeSchema>;

export const rowOutcomesSchema = z
  .object({ outcomes: z.array(rowOutcomeSchema) })
  .meta({ id: 'RowOutcomes' });
export type RowOutcomes = z.output<typeof rowOutcomesSchema>;
