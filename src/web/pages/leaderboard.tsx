import { PAGES } from '#contract/pages.ts';
import { PageShell } from '#web/components/page-shell.tsx';
import { LeaderboardBrowser } from '#web/features/leaderboard/leaderboard-browser.tsx';
import { PointsGuide } from '#web/features/leaderboard/points-guide.tsx';

export function Component() {
  return (
    <PageShell
      title={PAGES.leaderboard.title}
      text="Who keeps the table busy, and whom others are glad to deal with."
      size="md"
    >
      <LeaderboardBrowser />
      <PointsGuide />
    </PageShell>
  );
}
