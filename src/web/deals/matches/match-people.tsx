import { t } from '@lingui/core/macro';
import { Anchor, Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { Match, MatchPerson } from '#contract/deals/matches.ts';
import { Drawing } from '#web/components/drawing.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { ratingText } from '#web/lib/format.ts';
import classes from './matches.module.css';
import { othersIn } from './wording.ts';

/** The others in a match with their ratings; those of a ring also as a drawing of who gives to whom. */
export function MatchPeople({ match }: { match: Match }) {
  return (
    <div className={classes.people}>
      {match.legs.length > 2 && <Ring people={match.legs.map(({ giver }) => giver)} />}
      <PlainList gap={8} aria-label={t`Who is in it`}>
        {othersIn(match).map((person) => (
          <li key={person.id} className={classes.person}>
            <UserAvatar {...person} size={32} />
            <div>
              <Anchor component={Link} to={paths.user(person.id)} c="inherit" fw={600} className="target">
                {person.username}
              </Anchor>
              <Text size="sm" c="dimmed">
                {ratingText(person.averageRating, person.ratingCount)}
              </Text>
            </div>
          </li>
        ))}
      </PlainList>
    </div>
  );
}

/** The drawing of a ring, in pixels. */
const SIDE = 168;
const RADIUS = 62;
const FACE = 40;

/** The point of the circle after `turn` of a whole turn, clockwise from the top. */
function onCircle(turn: number): { x: number; y: number } {
  const angle = 2 * Math.PI * turn;
  return { x: SIDE / 2 + RADIUS * Math.sin(angle), y: SIDE / 2 - RADIUS * Math.cos(angle) };
}

/** Faces in a circle, each of whom gives to the next, clockwise. Hidden from screen readers: the sentence says the same. */
function Ring({ people }: { people: readonly MatchPerson[] }) {
  const middles = people.map((_, index) => (index + 0.5) / people.length);
  return (
    <div className={classes.ring} style={{ width: SIDE, height: SIDE }} aria-hidden="true">
      <Drawing width={SIDE} height={SIDE}>
        <circle cx={SIDE / 2} cy={SIDE / 2} r={RADIUS} stroke="var(--line)" />
        {middles.map((turn) => {
          const { x, y } = onCircle(turn);
          return (
            <path
              key={turn}
              d="m-4-5 9 5-9 5z"
              fill="currentColor"
              transform={`translate(${x} ${y}) rotate(${360 * turn})`}
            />
          );
        })}
      </Drawing>
      {people.map((person, index) => {
        const { x, y } = onCircle(index / people.length);
        return (
          <span key={person.id} className={classes.face} style={{ left: x, top: y } satisfies CSSProperties}>
            <UserAvatar {...person} size={FACE} />
          </span>
        );
      })}
    </div>
  );
}
