import { Anchor } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { useMarketDay } from './queries.ts';
import { announcementText } from './wording.ts';

/** Announces the next market day where it would trade something. */
export function HomeMarketDay() {
  const { data: next } = useMarketDay();
  if (!next || next.coupons === 0) return null;
  return (
    <Anchor component={Link} to={paths.marketDay(next.day)} underline="always">
      {announcementText(next)}
    </Anchor>
  );
}
