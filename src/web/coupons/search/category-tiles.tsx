import { t } from '@lingui/core/macro';
import { Container } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import type { FilterValues } from '#contract/coupons/coupon-filters.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { OFFERED_CATEGORIES } from '#web/coupons/core/categories.ts';
import { CATEGORY_NAMES } from '#web/coupons/core/wording.ts';
import drawings from './categories.svg?no-inline';
import classes from './category-tiles.module.css';

/** The categories of coupons, each a link to its list on Home, below the list; wide screens have them among the filters. @param current the category of the list on screen */
export function CategoryTiles({ current }: { current: FilterValues['category'] }) {
  return (
    <Container component="nav" aria-label={t`Categories`} size="xl" pb={20} hiddenFrom="sm">
      <PlainList className={classes.tiles}>
        {OFFERED_CATEGORIES.map((category) => (
          <li key={category} data-focus-frame>
            <Link
              to={paths.category(category)}
              className={classes.tile}
              data-category={category}
              aria-current={category === current || undefined}
            >
              <svg aria-hidden="true" className={classes.drawing}>
                <use href={`${drawings}#${category}`} />
              </svg>
              {CATEGORY_NAMES[category]}
            </Link>
          </li>
        ))}
      </PlainList>
    </Container>
  );
}
