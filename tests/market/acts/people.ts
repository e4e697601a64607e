import * as fc from 'fast-check';
import { TEST_PASSWORD } from '#tests/support/builders.ts';
import {
  ADMIN,
  cancelDealsOf,
  cancelPending,
  hasExpired,
  isTaken,
  nameOf,
  type Person,
  personOf,
  putOnList,
  resumeClock,
  type State,
  stopClock,
} from '../state.ts';
import { type Act, type Aimed, type Answer, act, member, says } from './act.ts';
import { keepsFromLeaving } from './deposits.ts';
import { mayBeClaimed } from './leg-claims.ts';

const ownedBy = (state: State, who: number) =>
  [...state.coupons].filter(([, coupon]) => coupon.owner === who && !coupon.isDeleted);

/** Takes the coupons of a banned person off the lists. */
function hide(state: State, who: number): undefined {
  if (personOf(state, who).status !== 'banned') return;
  const listed = ownedBy(state, who).filter(([, coupon]) => coupon.isListed);
  for (const [, coupon] of listed) Object.assign(coupon, { isListed: false, isHidden: true });
  cancelPending(
    state,
    listed.map(([id]) => id),
    'party_banned',
  );
}

/** Lists again what a ban has hidden, where that is still allowed. */
function unhide(state: State, who: number): undefined {
  if (personOf(state, who).status === 'banned') return;
  for (const [id, coupon] of ownedBy(state, who).filter(([, { isHidden }]) => isHidden)) {
    coupon.isHidden = false;
    const mayBeListed = coupon.heldBy === null && !hasExpired(state, coupon);
    if (mayBeListed && !isTaken(state, coupon.code, id)) putOnList(state, coupon);
  }
}

function endDealsOfBanned(state: State, who: number): undefined {
  if (personOf(state, who).status === 'banned') cancelDealsOf(state, who, 'party_banned');
}

function aimStatus(who: number, target: number, status: Person['status']): Aimed {
  return {
    text: says(who, `makes ${nameOf(target)} ${status}`),
    who,
    gate: 'admin',
    isAboutPeople: true,
    steps: [
      (state) => {
        if (target === ADMIN) return 'forbidden';
        const person = personOf(state, target);
        if (person.hasLeft) return 'conflict';
        person.status = status;
        if (status === 'banned') {
          person.isSignedIn = false;
          stopClock(state, target);
        } else resumeClock(state, target);
        return undefined;
      },
      (state) => hide(state, target),
      (state) => endDealsOfBanned(state, target),
      (state) => unhide(state, target) ?? 'ok',
    ],
    async call(world, caller) {
      await caller.admin.setUserStatus({ id: world.personId(target), status, reason: 'So be it.' });
      return 'ok';
    },
  };
}

const statusAct = (status: Person['status'], target: fc.Arbitrary<number>): fc.Arbitrary<Act> =>
  fc
    .record({ who: fc.oneof({ weight: 9, arbitrary: fc.constant(ADMIN) }, member), target })
    .map(({ who, target: whom }) => act(`${status}(${nameOf(whom)})`, () => aimStatus(who, whom, status)));

export const ban = statusAct('banned', fc.nat(ADMIN));
export const suspend = statusAct('suspended', member);
/** Chooses somebody who needs it, if there is anybody. */
export const reinstate: fc.Arbitrary<Act> = member.map((nth) =>
  act('reinstate', (state) => {
    const whom = state.people.flatMap(({ status }, who) => (status === 'active' ? [] : [who]));
    return aimStatus(ADMIN, whom[nth % Math.max(1, whom.length)] ?? nth, 'active');
  }),
);

function aimSignIn(who: number): Aimed {
  return {
    text: says(who, 'signs in'),
    who,
    gate: 'anybody',
    isAboutPeople: true,
    steps: [
      (state) => {
        const person = personOf(state, who);
        if (person.hasLeft) return 'unauthorized';
        if (person.status === 'banned') return 'forbidden';
        person.isSignedIn = true;
        return 'ok';
      },
    ],
    async call(world, caller) {
      await caller.accounts.login({ username: world.usernameOf(who), password: TEST_PASSWORD });
      return 'ok';
    },
  };
}

/** Chooses somebody who is not signed in, if there is anybody. */
export const signIn: fc.Arbitrary<Act> = member.map((nth) =>
  act('sign in', (state) => {
    const away = state.people.flatMap(({ isSignedIn }, who) => (isSignedIn ? [] : [who]));
    return aimSignIn(away[nth % Math.max(1, away.length)] ?? nth);
  }),
);

/** What keeps a person from leaving: a deal to be done, money under way, a claim, or the time to make one. */
function objectionToLeaving(state: State, who: number): Answer | undefined {
  const isKept = [...state.deals.values()].some((deal) => {
    if (!deal.parties.includes(who)) return false;
    if (deal.status === 'accepted') return true;
    if (deal.kind !== 'bid' && keepsFromLeaving(deal, who)) return true;
    if (deal.kind !== 'bid') return deal.status === 'completed' && mayBeClaimed(state, deal, who);
    const paid = deal.payment?.state;
    return paid === 'processing' || paid === 'held' || paid === 'refunding';
  });
  return isKept ? 'conflict' : undefined;
}

function aimLeave(who: number): Aimed {
  return {
    text: says(who, 'leaves'),
    who,
    gate: 'member',
    isAboutPeople: true,
    // When something of theirs has just changed, they are asked to try again.
    mayAlso: ['conflict', 'bad_input'],
    steps: [
      (state) => {
        if (personOf(state, who).hasLeft) return 'not_found';
        const objection = objectionToLeaving(state, who);
        if (objection) return objection;
        Object.assign(personOf(state, who), { hasLeft: true, isSignedIn: false, blocked: [], wants: [] });
        for (const person of state.people) person.blocked = person.blocked.filter((other) => other !== who);
        cancelDealsOf(state, who, 'party_left');
        for (const [, coupon] of ownedBy(state, who)) {
          Object.assign(coupon, {
            isListed: false,
            isHidden: false,
            isDeleted: true,
            asking: null,
            floor: null,
          });
        }
        return 'ok';
      },
    ],
    async call(_world, caller) {
      await caller.accounts.deleteAccount({ confirmPassword: TEST_PASSWORD });
      return 'ok';
    },
  };
}

export const leave: fc.Arbitrary<Act> = member.map((who) =>
  act(`leave(${nameOf(who)})`, () => aimLeave(who)),
);
