import { Refusal } from '#sandbox/server.ts';
import { ACTS, type Act } from './acts.ts';
import { CAST } from './cast.ts';
import { chance, choose } from './choices.ts';
import { ADMIN_ACTS, OTHER_ACTS } from './other-acts.ts';
import type { Sight } from './sight.ts';
import { Refused, type World } from './world.ts';

/** How often people do what. */
const WEIGHTS: Record<keyof typeof ACTS | keyof typeof OTHER_ACTS, number> = {
  list: 4,
  bid: 6,
  answerBid: 6,
  pay: 6,
  afterSale: 6,
  offer: 6,
  answerOffer: 6,
  afterSwap: 3,
  manage: 5,
  read: 1,
  talk: 2,
  block: 1,
  want: 2,
  match: 4,
  report: 1,
  leave: 1,
  outside: 2,
};
const CHOICES = Object.entries(WEIGHTS).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as keyof typeof WEIGHTS),
);

const ADMIN_CHOICES = ['decide', 'decide', 'setStatus', 'review'] as const;

/** One act of somebody, as a task. */
export interface Planned {
  readonly who: number;
  readonly task: string;
}

/** Refusals end an act: the person sees why. All other errors are faults of the market. */
async function untilRefused(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return 'ok';
  } catch (error) {
    if (error instanceof Refused || error instanceof Refusal) return error.message;
    throw error;
  }
}

const ALL_ACTS: Readonly<Record<string, Act>> = { ...ACTS, ...OTHER_ACTS, ...ADMIN_ACTS };
/** How many kinds of acts a person considers, until one has something to be done to. */
const CONSIDERED = 6;
/** What mostly comes first, as somebody waits for it. */
const AWAITED = ['pay', 'answerBid', 'answerOffer', 'afterSale'] as const;

/** In the first moment, so that there is something to trade. */
const FIRST = ['list', 'list', 'want'] as const;

/**
 * What a person does in a task; nothing when there is nothing to do. A careless one does it twice, or acts on what they saw
 * earlier.
 * @param sights what there was to see at the last moments, the present one first
 */
export function aim(
  world: World,
  sights: readonly [Sight, ...Sight[]],
  { who, task }: Planned,
): { readonly name: string; readonly work: () => Promise<unknown> }[] {
  const nature = CAST[who]?.nature;
  const luck = (about: string) => chance(world.seed, task, about);
  // Whoever may not sign in tries now and then.
  if ([...sights[0].banned, ...sights[0].gone].includes(who) && luck('tries') < 0.8) return [];
  const isLate = nature === 'careless' && luck('late') < 0.4;
  const sight = (isLate && sights[Math.floor(luck('how late') * sights.length)]) || sights[0];
  const workOf = (kind: string, name: string) =>
    ALL_ACTS[kind]?.({
      ...{ world, sight, who, task, luck },
      call: (call) => world.callAs(who, name, call),
    }) ?? null;
  const kinds =
    nature === 'admin'
      ? [sight.banned.length > 0 ? 'setStatus' : choose(luck('kind'), ADMIN_CHOICES)]
      : task.startsWith('0.')
        ? [choose(luck('kind'), FIRST)]
        : Array.from({ length: CONSIDERED }, (_, at) =>
            choose(luck(`kind ${at}`), luck(`what ${at}`) < 0.5 ? AWAITED : CHOICES),
          );
  const kind = kinds.find((one) => workOf(one, '') !== null);
  if (kind === undefined) return [];
  const name = `${CAST[who]?.name} ${kind} ${task}`;
  const isTwice = nature === 'careless' && luck('twice') < 0.3;
  return [name, ...(isTwice ? [`${name} again`] : [])].flatMap((one) => {
    const work = workOf(kind, one);
    return work === null ? [] : [{ name: one, work: () => untilRefused(work) }];
  });
}
