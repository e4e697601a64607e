interface MailDrawingProps {
  /** What came of it: the letter arrived, or its link does not work. */
  readonly isBroken?: boolean;
}

/** A letter with a ticket in it. */
export function MailDrawing({ isBroken }: MailDrawingProps) {
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
      <path d="M36 46 80 16l44 30v50H36z" strokeDasharray={isBroken ? '5 6' : undefined} />
      <path d="m36 46 44 28 44-28M36 96l32-30M124 96 92 66" />
      {isBroken ? (
        <path d="m70 30 20 20m0-20L70 50" stroke="var(--mantine-primary-color-filled)" strokeWidth="4" />
      ) : (
        <path d="m68 40 9 9 16-18" stroke="var(--mantine-primary-color-filled)" strokeWidth="4" />
      )}
    </svg>
  );
}
