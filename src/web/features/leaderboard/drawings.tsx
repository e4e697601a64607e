import classes from './leaderboard.module.css';

const METALS: Record<number, string | undefined> = { 1: classes.gold, 2: classes.silver, 3: classes.bronze };

/** The medal of the first three, with their rank on it. */
export function Medal({ rank }: { rank: number }) {
  return (
    <svg aria-hidden="true" width="40" height="44" viewBox="0 0 40 44" className={METALS[rank]}>
      <path className={classes.ribbon} d="M10 0h9l4 15h-9zM30 0h-9l-4 15h9z" />
      <circle className={classes.disc} cx="20" cy="28" r="15" />
      <circle className={classes.ring} cx="20" cy="28" r="11.5" fill="none" />
      <text className={classes.number} x="20" y="33.5" textAnchor="middle">
        {rank}
      </text>
    </svg>
  );
}

/** A podium that nobody stands on. */
export function PodiumDrawing() {
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
      <path d="M12 98h136M24 98V68h38v30M62 98V50h38v48M100 98V76h38v22" />
      <path d="M74 66l8-5v24" stroke="var(--mantine-primary-color-filled)" strokeWidth="4" />
      <path d="m81 10 4 8 9 1-7 6 2 9-8-4-8 4 2-9-7-6 9-1z" strokeDasharray="4 5" />
    </svg>
  );
}
