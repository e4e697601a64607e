import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from 'react-router-dom';
import { AWAY_MAX_DAYS } from '#contract/away.ts';
import { paths } from '#contract/pages.ts';
import { PageNotice } from '#web/components/page-notice.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { formatDay } from '#web/lib/format.ts';
import { toasts } from '#web/lib/toasts.ts';
import { focusFirst, showRefusal } from './form-errors.ts';
import { useAbsence, useSetAway } from './queries.ts';

const FAILED = 'Not changed';
const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Whether the viewer is away: says so, or ends it. */
export function AwaySettings() {
  return (
    <QueryContent
      query={useAbsence()}
      errorTitle="We could not find out whether you are away"
      skeleton={<Skeleton height={84} radius="md" />}
    >
      {({ until }) => (until === null ? <AwayForm /> : <Away until={until} />)}
    </QueryContent>
  );
}

function Away({ until }: { until: string }) {
  const setAway = useSetAway();
  const back = () =>
    setAway.mutate(
      { until: null },
      {
        onSuccess: () => toasts.success('Welcome back', 'People can propose swaps and bid again.'),
        onError: (error) => toasts.failure(FAILED, error.message),
      },
    );
  return (
    <Group justify="space-between">
      <Text>
        You are away until <strong>{formatDay(until)}</strong>.
      </Text>
      <Button variant="default" loading={setAway.isPending} onClick={back}>
        I am back
      </Button>
    </Group>
  );
}

function AwayForm() {
  const setAway = useSetAway();
  const form = useForm({
    initialValues: { until: '' },
    validate: { until: (day) => (day === '' ? 'Choose the day on which you come back' : null) },
  });
  const submit = form.onSubmit(
    ({ until }) =>
      setAway.mutate(
        { until },
        {
          onSuccess: () => toasts.success('You are away', `Until ${formatDay(until)}. Have a good time.`),
          onError: (error) => showRefusal(form, FAILED, error),
        },
      ),
    (errors) => focusFirst(form, errors),
  );
  return (
    <form onSubmit={submit} noValidate aria-label="Away">
      <Stack align="flex-start">
        <TextInput
          type="date"
          label="You come back on"
          min={dayIn(1)}
          max={dayIn(AWAY_MAX_DAYS)}
          required
          {...form.getInputProps('until')}
        />
        <Button type="submit" variant="default" loading={setAway.isPending}>
          I am away
        </Button>
      </Stack>
    </form>
  );
}

/** Asks somebody who has left the latest proposals without an answer whether they are away. */
export function AwaySuggestion() {
  const { data, isError } = useAbsence();
  return (
    <PageNotice
      label="Away"
      isKnown={data !== undefined || isError}
      notice={
        data?.isSuggested
          ? {
              lead: 'Are you away?',
              text: 'The latest two proposals to you ended without your answer. While you are away, people wait for your return.',
              action: (
                <Button
                  component={Link}
                  to={`${paths.profileSettings}#away`}
                  variant="default"
                  size="compact-md"
                >
                  Say until when
                </Button>
              ),
            }
          : null
      }
    />
  );
}
