import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Group, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useId } from 'react';
import { RATING_MAX, RATING_MIN } from '#contract/base/bounds.ts';
import type { DealType } from '#contract/deals/deals.ts';
import {
  createRatingInputSchema,
  type DealRatingsInput,
  RATING_COMMENT_MAX,
  type Rating,
} from '#contract/deals/ratings.ts';
import { Surface } from '#web/components/surface.tsx';
import { fieldErrors } from '#web/lib/errors.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMayAct } from '#web/lib/viewer.tsx';
import classes from './ratings.module.css';
import { HIDDEN_UNTIL, ofTen, Stars } from './stars.tsx';

interface RateDealProps {
  readonly dealType: DealType;
  readonly dealId: number;
  /** Whom of the deal; by default the other side. */
  readonly otherId?: number;
}

/**
 * The ratings of a completed deal, for one of its parties: the form that rates the other party, later the given rating,
 * and the received one once it is visible. Renders nothing while there is nothing to rate.
 */
export function RateDeal({ dealType, dealId, otherId }: RateDealProps) {
  const { data, error } = trpc.ratings.ofDeal.useQuery(
    { dealType, dealId, otherId },
    { refetchOnMount: 'always' },
  );
  const mayAct = useMayAct();
  // The deal itself is on screen: a failure of its ratings is not worth an error message.
  if (error && !data) return null;
  if (!data) return <Skeleton height={120} radius="md" aria-hidden="true" />;
  const { mine, theirs, otherUsername } = data;
  const canRate = data.canRate && mayAct;
  if (!canRate && !mine && !theirs) return null;
  const frameId = `ratings-${dealType}-${dealId}-${data.otherId}`;
  return (
    <Surface
      component="section"
      id={frameId}
      tabIndex={-1}
      isSunken
      gap={12}
      aria-label={t`Ratings of you and ${otherUsername}`}
    >
      {canRate && (
        <>
          <Title order={3} size="h4">
            <Trans>Rate {otherUsername}</Trans>
          </Title>
          <RateForm
            deal={{ dealType, dealId, otherId: data.otherId }}
            otherUsername={otherUsername}
            frameId={frameId}
          />
        </>
      )}
      {mine && (
        <Given title={t`You gave ${ofTen(mine.rating)}`} rating={mine}>
          {!mine.isVisible && HIDDEN_UNTIL}
        </Given>
      )}
      {theirs && <Given title={t`${otherUsername} gave you ${ofTen(theirs.rating)}`} rating={theirs} />}
    </Surface>
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
      {rating.comment && (
        <p className={classes.comment} dir="auto">
          {rating.comment}
        </p>
      )}
    </div>
  );
}

const CHOICES = Array.from({ length: RATING_MAX - RATING_MIN + 1 }, (_, index) => RATING_MIN + index);

interface RateFormProps {
  readonly deal: DealRatingsInput;
  readonly otherUsername: string;
  /** The element that gets the focus when the form is gone. */
  readonly frameId: string;
}

/** Rates the other side of a deal, once. */
function RateForm({ deal, otherUsername, frameId }: RateFormProps) {
  const scaleId = useId();
  const rate = trpc.ratings.create.useMutation();
  // Not `useSendForm`: a conflict would close the deal's own dialog around it.
  const form = useForm({
    // 0: nothing chosen yet; the contract refuses it.
    initialValues: { ...deal, rating: 0, comment: '' },
    validate: schemaResolver(createRatingInputSchema, { sync: true }),
  });
  const error = form.errors.rating;
  const submit = form.onSubmit(
    (values) =>
      rate.mutate(createRatingInputSchema.parse(values), {
        onSuccess: () => {
          toasts.success(t`Thank you for rating`, HIDDEN_UNTIL);
          rescueFocus([frameId]);
        },
        onError: (failure) => {
          form.setErrors(fieldErrors(failure));
          toasts.failed(failure, t`Rating not sent`);
        },
      }),
    () => document.getElementById(`${scaleId}-${RATING_MIN}`)?.focus(),
  );
  return (
    <form onSubmit={submit} noValidate aria-label={t`Rate ${otherUsername}`}>
      <Stack gap="sm">
        <fieldset
          className={classes.scale}
          disabled={rate.isPending}
          aria-describedby={error ? `${scaleId}-error` : undefined}
        >
          <legend>
            <Trans>How was the deal with {otherUsername}?</Trans>
          </legend>
          <div className={classes.choices}>
            {CHOICES.map((choice) => (
              <label key={choice} className={classes.choice} data-focus-frame>
                <input
                  type="radio"
                  id={`${scaleId}-${choice}`}
                  name={scaleId}
                  value={choice}
                  aria-label={t`${choice} of ${RATING_MAX}`}
                  checked={form.values.rating === choice}
                  onChange={() => form.setFieldValue('rating', choice)}
                />
                <span aria-hidden="true">{choice}</span>
              </label>
            ))}
          </div>
          <Group justify="space-between" mt={4} c="dimmed" fz="xs" aria-hidden="true">
            <span>
              <Trans>Poor</Trans>
            </span>
            <span>
              <Trans>Excellent</Trans>
            </span>
          </Group>
          {error && (
            <Box id={`${scaleId}-error`} mt={4} c="var(--mantine-color-error)" fz="xs" role="alert">
              {error}
            </Box>
          )}
        </fieldset>
        <div>
          <Textarea
            label={t`In your words`}
            description={t`Optional. Everyone can read it.`}
            rows={3}
            maxLength={RATING_COMMENT_MAX}
            disabled={rate.isPending}
            {...form.getInputProps('comment')}
          />
          <Text c="dimmed" fz="xs" ta="right" className="tabular">
            {form.values.comment.length}/{RATING_COMMENT_MAX}
          </Text>
        </div>
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed" flex="1 1 14rem">
            {HIDDEN_UNTIL}
          </Text>
          <Button type="submit" loading={rate.isPending}>
            <Trans>Send rating</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
