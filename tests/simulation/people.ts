import { ACTS, type Act, type Actor } from './acts.ts';
import { CAST } from './cast.ts';
import { chance, choose } from './choices.ts';
import { ADMIN_ACTS, OTHER_ACTS } from './other-acts.ts';
import type { Sight } from './sight.ts';
import { Refused, type World } from './world.ts';

/** How often people do what. */
const WEIGHTS: Record<keyof typeof ACTS | keyof typeof OTHER_ACTS, number> = {
  list: 5,
  bid: 6,
  answerBid: 6,
  pay: 7,
  afterSale: 3,
  offer: 4,
  answerOffer: 6,
  afterSwap: 2,
  manage: 6,
  read: 4,
  talk: 2,
  block: 1,
  want: 2,
  match: 2,
  report: 1,
  leave: 1,
  outside: 3,
};
const CHOICES = Object.entries(WEIGHTS).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as keyof typeof WEIGHTS),
);

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
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

/** What a person does in a task; null when there is nothing to do. A careless one does it twice. */
export function aim(
  world: World,
  sight: Sight,
  { who, task }: Planned,
): { readonly name: string; readonly work: () => Promise<unknown> }[] {
  const nature = CAST[who]?.nature;
  const luck = (about: string) => chance(world.seed, task, about);
  const kind =
    nature === 'admin'
      ? choose(luck('kind'), ['decide', 'decide', 'setStatus', 'review'] as const)
      : choose(luck('kind'), CHOICES);
  const act: Act = { ...ACTS, ...OTHER_ACTS, ...ADMIN_ACTS }[kind];
  const taskNamed = (name: string) => {
    const actor: Actor = {
      ...{ world, sight, who, task, luck },
      call: (call) => world.callAs(who, name, call),
    };
    const work = act(actor);
    return work === null ? [] : [{ name, work: () => untilRefused(work) }];
  };
  const name = `${CAST[who]?.name} ${kind} ${task}`;
  const isTwice = nature === 'careless' && luck('twice') < 0.3;
  return [...taskNamed(name), ...(isTwice ? taskNamed(`${name} again`) : [])];
}
