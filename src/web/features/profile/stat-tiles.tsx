import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './profile.module.css';

interface StatTilesProps {
  readonly label: string;
  /** A value that is still coming is undefined. */
  readonly stats: readonly {
    readonly name: string;
    readonly value: ReactNode;
    readonly unit?: string;
  }[];
}

/** Numbers side by side. */
export function StatTiles({ label, stats }: StatTilesProps) {
  return (
    <section aria-label={label}>
      <dl className={classes.tiles}>
        {stats.map(({ name, value, unit }) => (
          <div key={name} className={classes.tile}>
            <dt>{name}</dt>
            <dd>
              {value === undefined ? <Skeleton height={22} width="60%" my={3.5} /> : value}
              {value !== undefined && unit && <span className={classes.unit}> {unit}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
