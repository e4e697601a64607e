import { Fragment, type ReactNode } from 'react';

/** Renders its children `count` times: the rows of a skeleton. */
export function Repeat({ count, children }: { count: number; children: ReactNode }) {
  return Array.from({ length: count }, (_, index) => `repeat-${index}`).map((key) => (
    <Fragment key={key}>{children}</Fragment>
  ));
}
