import type { ReactNode } from 'react';

/** A line drawing for an empty place; it takes the ink of the text around it. */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      width="160"
      height="110"
      viewBox="0 0 160 110"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  );
}

const TICKET =
  'M0 6a6 6 0 0 1 6-6h64a6 6 0 0 1 6 6v11a6 6 0 0 0 0 12v11a6 6 0 0 1-6 6H6a6 6 0 0 1-6-6V29a6 6 0 0 0 0-12z';

/** An empty table with one dashed ticket: nothing here yet. */
export function EmptyTableDrawing() {
  return (
    <Drawing>
      <path d="M12 92h136M28 92v14M132 92v14" />
      <g transform="translate(42 34)">
        <path d={TICKET} strokeDasharray="5 6" />
        <path d="M24 6v34" strokeDasharray="2 5" />
      </g>
      <path d="M80 20v-10M58 24l-6-8M102 24l6-8" stroke="var(--mantine-primary-color-filled)" />
    </Drawing>
  );
}

/** Two tickets and the swap sign: nothing swapped yet. */
export function SwapDrawing() {
  return (
    <Drawing>
      <g transform="translate(6 12) rotate(-6 38 23)">
        <path d={TICKET} />
        <path d="M24 6v34" strokeDasharray="2 5" />
      </g>
      <g transform="translate(78 52) rotate(5 38 23)">
        <path d={TICKET} strokeDasharray="5 6" />
        <path d="M24 6v34" strokeDasharray="2 5" />
      </g>
      <path
        d="M104 22c16-4 28 2 32 14m0 0 4-9m-4 9-9-3M56 92c-16 4-28-2-32-14m0 0-4 9m4-9 9 3"
        stroke="var(--mantine-primary-color-filled)"
      />
    </Drawing>
  );
}

/** A magnifying glass over a ticket: nothing matches. */
export function SearchDrawing() {
  return (
    <Drawing>
      <g transform="translate(24 36)">
        <path d={TICKET} strokeDasharray="5 6" />
        <path d="M24 6v34" strokeDasharray="2 5" />
      </g>
      <circle cx="104" cy="48" r="22" stroke="var(--mantine-primary-color-filled)" />
      <path d="m120 64 18 20" stroke="var(--mantine-primary-color-filled)" strokeWidth="4" />
    </Drawing>
  );
}

/** A bell at rest: no news. */
export function BellDrawing() {
  return (
    <Drawing>
      <path d="M80 16v8M54 78c6-8 6-16 6-26 0-14 8-24 20-24s20 10 20 24c0 10 0 18 6 26z" />
      <path d="M72 86c2 6 14 6 16 0" stroke="var(--mantine-primary-color-filled)" />
      <path d="M30 96h100" strokeDasharray="5 6" />
    </Drawing>
  );
}

/** A ticket with a bookmark on it: nothing saved yet. */
export function BookmarkDrawing() {
  return (
    <Drawing>
      <g transform="translate(42 42)">
        <path d={TICKET} strokeDasharray="5 6" />
        <path d="M24 6v34" strokeDasharray="2 5" />
      </g>
      <path d="M88 22h20v44l-10-10-10 10z" stroke="var(--mantine-primary-color-filled)" />
    </Drawing>
  );
}

/** Two speech bubbles over a ticket: nothing written yet. */
export function MessagesDrawing() {
  return (
    <Drawing>
      <path d="M22 20a8 8 0 0 1 8-8h52a8 8 0 0 1 8 8v20a8 8 0 0 1-8 8H44l-12 12V48h-2a8 8 0 0 1-8-8z" />
      <path d="M36 26h40M36 35h24" strokeDasharray="5 6" />
      <path
        d="M138 54a8 8 0 0 0-8-8h-28M74 60v10a8 8 0 0 0 8 8h38l10 11V78a8 8 0 0 0 8-8V54"
        stroke="var(--mantine-primary-color-filled)"
      />
      <path d="M30 98h100" strokeDasharray="5 6" />
    </Drawing>
  );
}
