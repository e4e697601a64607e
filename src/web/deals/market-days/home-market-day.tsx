import { plural } from '@lingui/core/macro';
import { Anchor } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { useMarketDay } from './queries.ts';
import { hourText } from './wording.ts';

/** Announces the next market day where it would trade something. */
export function HomeMarketDay() {
  const { data: next } = useMarketDay();
  if (!next || next.coupons === 0) return null;
  const hour = hourText(next.at, next.timeZone);
  return (
    <Anchor component={Link} to={paths.marketDay(next.day)} underline="always">
      {plural(next.coupons, {
        one: `# coupon would change hands on market day, at ${hour}.`,
        other: `# coupons would change hands on market day, at ${hour}.`,
      })}
    </Anchor>
  );
}
