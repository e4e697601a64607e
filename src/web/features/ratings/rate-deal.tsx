import { Skeleton, Text, Title } from '@mantine/core';
import type { DealType } from '#contract/deals.ts';
import type { Rating } from '#contract/ratings.ts';
import { useDealRatings } from './queries.ts';
import { RateForm } from './rate-form.tsx';
import classes from './ratings.module.css';
import { Stars } from './stars.tsx';
import { HIDDEN_UNTIL, ofTen } from './wording.ts';

interface RateDealProps {
  readonly dealType: DealType;
  readonly dealId: number;
}

/**
 * The ratings of a completed deal, for one of its parties: the form that rates the other, then what was given, and
 * what was received once it can be seen. Nothing at all while there is nothing to rate.
 */
export function RateDeal({ dealType, dealId }: RateDealProps) {
  const { data, error } = useDealRatings({ dealType, dealId });
  // The deal itself is on screen; that it cannot be rated at the moment is no reason to alarm anybody.
  if (error && !data) return null;
  if (!data) return <Skeleton height={120} radius="md" aria-hidden="true" />;
  const { canRate, mine, theirs, otherUsername } = data;
  if (!canRate && !mine && !theirs) return null;
  const frameId = `ratings-${dealType}-${dealId}`;
  return (
    <section id={frameId} tabIndex={-1} className={classes.frame} aria-label="Ratings">
      {canRate && (
        <>
          <Title order={3} size="h4">
            Rate {otherUsername}
          </Title>
          <RateForm dealType={dealType} dealId={dealId} otherUsername={otherUsername} frameId={frameId} />
        </>
      )}
      {mine && (
        <Given title={`You gave ${ofTen(mine.rating)}`} rating={mine}>
          {!mine.isVisible && HIDDEN_UNTIL}
        </Given>
      )}
      {theirs && <Given title={`${otherUsername} gave you ${ofTen(theirs.rating)}`} rating={theirs} />}
    </section>
  );
}

function Given({ title, rating, children }: { title: string; rating: Rating; children?: string | false }) {
  return (
    <div>
      <div className={classes.score}>
        <span>{title}</span>
        <Stars rating={rating.rating} />
      </div>
      {children && (
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      )}
      {rating.comment && <p className={classes.comment}>{rating.comment}</p>}
    </div>
  );
}
