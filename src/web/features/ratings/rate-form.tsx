import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useId } from 'react';
import type { DealType } from '#contract/deals.ts';
import { createRatingInputSchema, RATING_COMMENT_MAX, RATING_MAX, RATING_MIN } from '#contract/ratings.ts';
import { fieldErrors, writeErrorText } from '#web/lib/errors.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { toasts } from '#web/lib/toasts.ts';
import { useRate } from './queries.ts';
import classes from './ratings.module.css';
import { HIDDEN_UNTIL } from './wording.ts';

const CHOICES = Array.from({ length: RATING_MAX - RATING_MIN + 1 }, (_, index) => RATING_MIN + index);

interface RateFormProps {
  readonly dealType: DealType;
  readonly dealId: number;
  readonly otherUsername: string;
  /** Where the keyboard goes when the form has done its work and is gone. */
  readonly frameId: string;
}

/** Rates the other side of a deal, once. */
export function RateForm({ dealType, dealId, otherUsername, frameId }: RateFormProps) {
  const rate = useRate();
  const scaleId = useId();
  const form = useForm({
    // 0: nothing chosen yet, which the contract refuses in its own words.
    initialValues: { dealType, dealId, rating: 0, comment: '' },
    validate: schemaResolver(createRatingInputSchema, { sync: true }),
  });
  const error = form.errors.rating;
  const submit = form.onSubmit(
    (values) =>
      rate.mutate(createRatingInputSchema.parse(values), {
        onSuccess: () => {
          toasts.success('Thank you for rating', HIDDEN_UNTIL);
          rescueFocus([frameId]);
        },
        onError: (failure) => {
          form.setErrors(fieldErrors(failure));
          toasts.failure('Rating failed', writeErrorText(failure, 'Please try again.'));
        },
      }),
    () => document.getElementById(`${scaleId}-${RATING_MIN}`)?.focus(),
  );
  return (
    <form onSubmit={submit} noValidate aria-label={`Rate ${otherUsername}`}>
      <Stack gap="sm">
        <fieldset
          className={classes.scale}
          disabled={rate.isPending}
          aria-describedby={error ? `${scaleId}-error` : undefined}
        >
          <legend>How was the deal with {otherUsername}?</legend>
          <div className={classes.choices}>
            {CHOICES.map((choice) => (
              <label key={choice} className={classes.choice}>
                <input
                  type="radio"
                  id={`${scaleId}-${choice}`}
                  name={scaleId}
                  value={choice}
                  aria-label={`${choice} of ${RATING_MAX}`}
                  checked={form.values.rating === choice}
                  onChange={() => form.setFieldValue('rating', choice)}
                />
                <span aria-hidden="true">{choice}</span>
              </label>
            ))}
          </div>
          <div className={classes.ends} aria-hidden="true">
            <span>Never again</span>
            <span>Could not be better</span>
          </div>
          {error && (
            <div id={`${scaleId}-error`} className={classes.error} role="alert">
              {error}
            </div>
          )}
        </fieldset>
        <div>
          <Textarea
            label="In your words"
            description="Optional. Everybody can read it."
            rows={3}
            maxLength={RATING_COMMENT_MAX}
            disabled={rate.isPending}
            {...form.getInputProps('comment')}
          />
          <span className={classes.counter}>
            {form.values.comment.length}/{RATING_COMMENT_MAX}
          </span>
        </div>
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed" flex="1 1 14rem">
            {HIDDEN_UNTIL}
          </Text>
          <Button type="submit" loading={rate.isPending}>
            Send rating
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
