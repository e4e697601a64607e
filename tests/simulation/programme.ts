import { openValidators } from '#server/providers/validators/open-validators.ts';
import type { Validators } from '#server/providers/validators/validators.ts';
import type { TestClock } from '#tests/support/builders.ts';
import { chance } from './choices.ts';

/** What the merchant has recorded: who has used a code, and when. */
interface Use {
  readonly at: Date;
  readonly who: number;
}

/** The part of the questions that the programme does not answer. */
const SILENT = 0.2;

/** The programme of the only merchant. It tells how codes were used, and confirms none. */
export function createProgramme(seed: number, clock: TestClock) {
  const uses = new Map<string, Use[]>();
  const usesOf = (code: string) => uses.get(code) ?? [];
  const validators: Validators = {
    ...openValidators({ adapters: [] }),
    tellsRedemptions: () => true,
    async redemptionsOf({ code }) {
      if (chance(seed, 'programme', code, clock().getTime()) < SILENT) return 'unreached';
      const told = usesOf(code).map(({ at }) => ({ at, place: null }));
      return { count: told.length, told };
    },
  };
  return {
    validators,
    /** Somebody uses a code at the till. */
    use: (code: string, who: number) => void uses.set(code, [...usesOf(code), { at: clock(), who }]),
    /** Who has used a code at that time. */
    usedBy: (at: Date) =>
      [...uses.values()].flat().find((one) => one.at.getTime() === at.getTime())?.who ?? null,
  };
}
