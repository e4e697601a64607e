import { z } from 'zod';
import { daySchema } from '#contract/base/primitives.ts';

/** How long somebody can be away at once. */
export const AWAY_MAX_DAYS = 60;
/** Days after the return until deadlines end that would have ended during the absence. */
export const AWAY_GRACE_DAYS = 2;

/** Whether the caller is away. */
export const absenceSchema = z.object({
  until: daySchema.nullable().describe('The day of return; null: not away'),
  isSuggested: z
    .boolean()
    .describe('Whether the caller has left the latest two proposals to them without an answer'),
});
absenceSchema.register(z.globalRegistry, { id: 'Absence' });
export type Absence = z.output<typeof absenceSchema>;

export const setAwayInputSchema = z.object({
  until: daySchema.nullable().describe(`The day of return, within ${AWAY_MAX_DAYS} days; null: back now`),
});
export type SetAwayInput = z.output<typeof setAwayInputSchema>;
