import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { plural } from '#contract/locale.ts';
import { paths } from '#contract/pages.ts';
import { PageNotice } from '#web/components/page-notice.tsx';
import { useViewer } from '#web/lib/viewer.tsx';
import { useMatchCount } from './count-queries.ts';

/** Tells a member at the top of Home how many matches wait for them. */
export function MatchNotice() {
  const { user, isLoading } = useViewer();
  const count = useMatchCount(user !== null);
  return (
    <PageNotice
      label="Matches"
      isKnown={user ? count !== undefined : !isLoading}
      notice={
        count
          ? {
              lead: plural(count, {
                one: '# swap is waiting for you.',
                other: '# swaps are waiting for you.',
              }),
              text: 'We found them for you.',
              action: (
                <Button component={Link} to={paths.matches} variant="default" size="compact-md">
                  See matches
                </Button>
              ),
            }
          : null
      }
    />
  );
}
