import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { Link } from 'react-router-dom';
import { z } from 'zod';
import { formatDay } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import { AWAY_MAX_DAYS } from '#contract/deals/away.ts';
import { PageNotice } from '#web/components/page-notice.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';

const FAILED = t`Away status not changed`;
const DAY_MS = 86_400_000;
const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** Whether the viewer is away: says so, or ends it. */
export function AwaySettings() {
  const query = trpc.away.get.useQuery();
  return (
    <QueryContent
      query={query}
      errorTitle={t`Error loading your away status`}
      skeleton={<Skeleton height={84} radius="md" />}
    >
      {({ until }) => (until === null ? <AwayForm /> : <Away until={until} />)}
    </QueryContent>
  );
}

function Away({ until }: { until: string }) {
  const setAway = trpc.away.set.useMutation({
    onSuccess: () => toasts.success(t`Welcome back`, t`People can propose exchanges and bid again.`),
    onError: (error) => toasts.failed(error, FAILED),
  });
  return (
    <Group justify="space-between">
      <Text>
        <Trans>
          You are away until <strong>{formatDay(until)}</strong>.
        </Trans>
      </Text>
      <Button variant="default" loading={setAway.isPending} onClick={() => setAway.mutate({ until: null })}>
        <Trans>I am back</Trans>
      </Button>
    </Group>
  );
}

const formSchema = z.object({ until: z.string().min(1, t`Choose the day you come back`) });

function AwayForm() {
  const { form, submit, isPending } = useSendForm({
    schema: formSchema,
    initial: { until: '' },
    mutation: trpc.away.set.useMutation(),
    done: (_, { until }) => [t`You are away`, t`Until ${formatDay(until)}. Enjoy your time away!`],
    failed: [FAILED],
  });
  return (
    <form onSubmit={submit} noValidate aria-label={t`Away`}>
      <Stack align="flex-start">
        <TextInput
          type="date"
          label={t`Back on`}
          min={dayIn(1)}
          max={dayIn(AWAY_MAX_DAYS)}
          required
          {...form.getInputProps('until')}
        />
        <Button type="submit" variant="default" loading={isPending}>
          <Trans>I am away</Trans>
        </Button>
      </Stack>
    </form>
  );
}

/** Asks somebody who has left the latest proposals without an answer whether they are away. */
export function AwaySuggestion() {
  const { data, isError } = trpc.away.get.useQuery();
  return (
    <PageNotice
      name="away"
      label={t`Away`}
      isKnown={data !== undefined || isError}
      notice={
        data?.isSuggested
          ? {
              lead: t`Are you away?`,
              text: t`You did not answer the last two proposals in time. Set yourself as away, and they will wait until you are back.`,
              action: (
                <Button component={Link} to={paths.settings('away')} variant="default" size="compact-md">
                  <Trans>Set yourself as away</Trans>
                </Button>
              ),
            }
          : null
      }
    />
  );
}
