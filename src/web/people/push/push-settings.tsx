import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Switch, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';
import { marketName } from '#contract/base/market.ts';
import type { PushBrowser, PushSettings as Settings } from '#contract/people/push.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import rows from '#web/components/rows.module.css';
import { ToneBadge } from '#web/components/status-badge.tsx';
import { formatDate, formatDateTime } from '#web/lib/format.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { toasts } from '#web/lib/toasts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { isSubscribed, type PushSupport, pushSupport, unsubscribeBrowser } from '#web/people/push/push.ts';
import classes from './push-settings.module.css';
import { QuietHoursForm } from './quiet-hours-form.tsx';
import { useTurnOn } from './use-turn-on.ts';

const LIST_ID = 'push-browsers';

/** Why there is no switch, and what helps. */
const HINDRANCES: Record<Exclude<PushSupport, 'possible'>, string> = {
  none: t`This browser cannot show push notifications.`,
  install: t`On an iPhone or iPad, only installed apps get push notifications: press Share, then “Add to Home Screen”, and open ${{ market: marketName() }} from there.`,
  savesData: t`Your browser’s data saver is on, so ${{ market: marketName() }} cannot run in the background. Turn it off to get push notifications.`,
  blocked: t`This browser blocks notifications from ${{ market: marketName() }}. Allow them in your browser’s settings for this site, then reload this page.`,
};

/** Whether this browser gets pushes, which others do, and when none come. */
export function PushSettings() {
  const query = trpc.push.settings.useQuery();
  return (
    <QueryContent
      query={query}
      errorTitle={t`Error loading your push notifications`}
      skeleton={<Skeleton height={240} radius="md" />}
    >
      {(settings) => (
        <Stack gap="lg">
          <ThisBrowser settings={settings} />
          {settings.browsers.length > 0 && <Browsers browsers={settings.browsers} />}
          <QuietHoursForm quietHours={settings.quietHours} />
        </Stack>
      )}
    </QueryContent>
  );
}

function ThisBrowser({ settings: { browsers } }: { settings: Settings }) {
  const current = browsers.find(({ isCurrent }) => isCurrent);
  // The browser may have forgotten what the server knows.
  const [isKnownHere, setIsKnownHere] = useState(true);
  const [support, setSupport] = useState(pushSupport);
  useEffect(() => {
    isSubscribed().then(setIsKnownHere, () => setIsKnownHere(false));
  }, []);
  const { turnOn, isPending } = useTurnOn();
  const remove = trpc.push.remove.useMutation();
  if (support !== 'possible') return <Text>{HINDRANCES[support]}</Text>;
  const toggle = async () => {
    if (current && isKnownHere) {
      await remove.mutateAsync({ id: current.id });
      await unsubscribeBrowser();
    } else {
      setIsKnownHere(await turnOn());
      setSupport(pushSupport());
    }
  };
  return (
    <Switch
      className={classes.switch}
      size="md"
      label={t`Push notifications in this browser`}
      checked={current !== undefined && isKnownHere}
      disabled={isPending || remove.isPending}
      onChange={() =>
        toggle().catch((error: unknown) => toasts.failed(error, t`Push notifications not turned off`))
      }
    />
  );
}

function Browsers({ browsers }: { browsers: readonly PushBrowser[] }) {
  const test = trpc.push.sendTest.useMutation({
    onSuccess: () => toasts.success(t`Test sent`, t`It arrives within seconds.`),
    onError: (error) => toasts.failed(error, t`Test not sent`),
  });
  return (
    <Stack>
      <PlainList
        id={LIST_ID}
        tabIndex={-1}
        className={rows.list}
        aria-label={t`Browsers with push notifications`}
      >
        {browsers.map((browser) => (
          <Browser key={browser.id} browser={browser} />
        ))}
      </PlainList>
      <Group>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          {t`Send a test`}
        </Button>
      </Group>
    </Stack>
  );
}

function Browser({ browser: { id, device, isCurrent, createdAt, lastUsedAt } }: { browser: PushBrowser }) {
  const on = formatDate(createdAt);
  const remove = trpc.push.remove.useMutation({
    onSuccess: () => {
      toasts.success(
        t({ context: 'browser', message: 'Removed' }),
        t`${device} gets no more push notifications.`,
      );
      rescueFocus([LIST_ID]);
    },
    onError: (error) => toasts.failed(error, t`Not removed`),
  });
  return (
    <li className={classes.browser}>
      <div className={classes.words}>
        <Group gap="xs">
          <Text fw={600}>{device}</Text>
          {isCurrent && <ToneBadge tone="success">{t`This device`}</ToneBadge>}
        </Group>
        <Text size="sm" c="dimmed" className="tabular">
          {lastUsedAt === null
            ? t`On since ${on}`
            : t`On since ${on} · last one ${formatDateTime(lastUsedAt)}`}
        </Text>
      </div>
      <Button
        size="compact-md"
        variant="default"
        loading={remove.isPending}
        onClick={() => remove.mutate({ id })}
      >
        <Trans>
          Remove<VisuallyHidden> {device}</VisuallyHidden>
        </Trans>
      </Button>
    </li>
  );
}
