import { Box, type BoxProps, type ElementProps } from '@mantine/core';
import classes from './plain-list.module.css';

interface PlainListProps extends BoxProps, ElementProps<'ul', keyof BoxProps> {
  readonly component?: 'ul' | 'ol';
  /** Pixels between the items. */
  readonly gap?: number;
}

/** A list without bullets, its items one below the other; a class may lay them out otherwise. */
export function PlainList({ component, gap, className = '', style, ...props }: PlainListProps) {
  return (
    <Box
      // Box's type takes one element's name, not a choice.
      component={(component ?? 'ul') as 'ul'}
      // Safari takes a list without bullets for none.
      role="list"
      className={`${classes.list} ${className}`}
      style={[{ gap }, style]}
      {...props}
    />
  );
}
