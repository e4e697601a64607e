import { Text } from '@mantine/core';
import type { ExposureEntry } from '#contract/oversight/proof-lines.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import classes from './proofs.module.css';
import { KIND_NAMES, personName } from './wording.ts';

interface EntryListProps {
  readonly entries: readonly ExposureEntry[];
  /** The number of the reader within the chain. */
  readonly you: number | null;
  /** The place of the first one in the chain, from 1. */
  readonly first?: number;
}

/** What happened to a code, the oldest first: what, when, and to whom. */
export function EntryList({ entries, you, first = 1 }: EntryListProps) {
  const placed = entries.map((entry, index) => ({ ...entry, place: first + index }));
  return (
    <PlainList component="ol" className={classes.entries}>
      {placed.map((entry) => (
        <li key={entry.place}>
          <Text span inherit fw={600}>
            {KIND_NAMES[entry.kind]}
          </Text>
          {entry.person !== null && <span>{personName(entry.person, { you, entries })}</span>}
          <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
        </li>
      ))}
    </PlainList>
  );
}
