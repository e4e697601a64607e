import { TransNoContext, type TransProps } from '@lingui/react/server';
import type { ReactNode } from 'react';
import { texts } from '#contract/i18n.ts';

/** Lingui takes `<b>` in a value for an element. What people wrote stays as it is. */
function asWritten(value: unknown): unknown {
  return typeof value === 'string' && value.includes('<') ? [value] : value;
}

/** What Lingui's macro of this name becomes: a text with elements and values in it. */
export function Trans({ values, ...props }: TransProps): ReactNode {
  const written =
    values && Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asWritten(value)]));
  return <TransNoContext {...props} values={written} lingui={{ i18n: texts() }} />;
}
