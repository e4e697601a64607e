import { Title } from '@mantine/core';
import classes from './leaderboard.module.css';
import { RULES } from './wording.ts';

/** How points are counted. */
export function PointsGuide() {
  return (
    <section className={classes.guide} aria-labelledby="points-guide">
      <Title order={2} size="h4" id="points-guide">
        How points are counted
      </Title>
      <dl className={classes.rules}>
        {RULES.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
