import { Box, type BoxProps, type ElementProps } from '@mantine/core';
import classes from './surface.module.css';

interface SurfaceProps extends BoxProps, ElementProps<'div', keyof BoxProps> {
  readonly component?: 'article' | 'div' | 'li' | 'p' | 'section';
  /** Pixels between the children, which are then one below the other. */
  readonly gap?: number;
  /** Whether it looks lower than the page, not higher. */
  readonly isSunken?: boolean;
}

/** A card or panel: a frame with padding and a background of its own. */
export function Surface({ component, gap, isSunken, className = '', style, ...props }: SurfaceProps) {
  return (
    <Box
      // Box's type takes one element's name, not a choice.
      component={(component ?? 'div') as 'div'}
      className={`${classes.surface} ${className}`}
      mod={{ sunken: isSunken, stacked: gap !== undefined }}
      style={[{ gap }, style]}
      {...props}
    />
  );
}
