import { ACCENT, Drawing, TICKET } from './drawing.tsx';

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
        stroke={ACCENT}
      />
    </Drawing>
  );
}

/** A bell at rest: no news. */
export function BellDrawing() {
  return (
    <Drawing>
      <path d="M80 16v8M54 78c6-8 6-16 6-26 0-14 8-24 20-24s20 10 20 24c0 10 0 18 6 26z" />
      <path d="M72 86c2 6 14 6 16 0" stroke={ACCENT} />
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
      <path d="M88 22h20v44l-10-10-10 10z" stroke={ACCENT} />
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
        stroke={ACCENT}
      />
      <path d="M30 98h100" strokeDasharray="5 6" />
    </Drawing>
  );
}

/** An empty desk with a flag: nothing waits for a decision. */
export function QuietDeskDrawing() {
  return (
    <Drawing>
      <path d="M12 92h136M28 92v14M132 92v14" />
      <path d="M40 92V66h48v26M48 74h32M48 82h20" />
      <path d="m52 54 8 8 16-20" stroke={ACCENT} strokeWidth="4" />
      <path d="M112 92V34M112 36c8-5 14 5 24 0v18c-10 5-16-5-24 0" strokeDasharray="5 6" />
    </Drawing>
  );
}

/** A dashed star over a table: not rated yet. */
export function StarDrawing() {
  return (
    <Drawing>
      <path d="M12 96h136M28 96v10M132 96v10" />
      <path
        d="m80 14 10 22 24 3-18 16 5 24-21-12-21 12 5-24-18-16 24-3z"
        strokeDasharray="5 6"
        stroke={ACCENT}
      />
    </Drawing>
  );
}

interface MailDrawingProps {
  /** Whether the mail's link did not work. */
  readonly isBroken?: boolean;
}

/** A letter with a ticket in it. */
export function MailDrawing({ isBroken }: MailDrawingProps) {
  return (
    <Drawing>
      <path d="M36 46 80 16l44 30v50H36z" strokeDasharray={isBroken ? '5 6' : undefined} />
      <path d="m36 46 44 28 44-28M36 96l32-30M124 96 92 66" />
      {isBroken ? (
        <path d="m70 30 20 20m0-20L70 50" stroke={ACCENT} strokeWidth="4" />
      ) : (
        <path d="m68 40 9 9 16-18" stroke={ACCENT} strokeWidth="4" />
      )}
    </Drawing>
  );
}

/** An empty podium. */
export function PodiumDrawing() {
  return (
    <Drawing>
      <path d="M12 98h136M24 98V68h38v30M62 98V50h38v48M100 98V76h38v22" />
      <path d="M74 66l8-5v24" stroke={ACCENT} strokeWidth="4" />
      <path d="m81 10 4 8 9 1-7 6 2 9-8-4-8 4 2-9-7-6 9-1z" strokeDasharray="4 5" />
    </Drawing>
  );
}
