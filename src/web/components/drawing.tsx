import type { SVGProps } from 'react';

interface DrawingProps extends Omit<SVGProps<SVGSVGElement>, 'viewBox'> {
  readonly width?: number;
  readonly height?: number;
}

/** The frame of a line drawing in the text's colour. Hidden from screen readers: the text beside it says the same. */
export function Drawing({ width = 160, height = 110, ...rest }: DrawingProps) {
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      {...rest}
    />
  );
}

/** The colour of the highlighted part of a drawing. */
export const ACCENT = 'var(--mantine-primary-color-filled)';

/** The outline of a ticket. */
export const TICKET =
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
      <path d="M80 20v-10M58 24l-6-8M102 24l6-8" stroke={ACCENT} />
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
      <circle cx="104" cy="48" r="22" stroke={ACCENT} />
      <path d="m120 64 18 20" stroke={ACCENT} strokeWidth="4" />
    </Drawing>
  );
}
