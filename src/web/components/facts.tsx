import { Box, type BoxProps, type ElementProps } from '@mantine/core';
import type { Key, ReactNode } from 'react';
import classes from './facts.module.css';

interface Fact {
  /** Where names repeat or are not plain text. */
  readonly id?: Key;
  readonly name: ReactNode;
  readonly value: ReactNode;
  /** Whether it is the total of the others; the user's style sheet knows it by `data-total`. */
  readonly isTotal?: boolean;
}

interface FactsProps extends BoxProps, ElementProps<'dl', keyof BoxProps | 'children'> {
  readonly facts: readonly Fact[];
  /**
   * `columns`: names and values side by side; `amounts`: the values at the end of their rows; `lines`: the same, with a
   * line below each row. None where the user's own class lays them out.
   */
  readonly layout?: 'columns' | 'amounts' | 'lines';
}

/** Names with their values. */
export function Facts({ facts, layout, className = '', ...props }: FactsProps) {
  return (
    <Box
      component="dl"
      className={`${classes.facts} ${layout ? classes[layout] : ''} ${className}`}
      {...props}
    >
      {facts.map(({ id, name, value, isTotal }) => (
        <div key={id ?? String(name)} data-total={isTotal || undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Box>
  );
}
