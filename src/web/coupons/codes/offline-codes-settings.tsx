import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { Surface } from '#web/components/surface.tsx';
import { TimeAgo } from '#web/components/time-ago.tsx';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { hasOfflineCodes } from '#web/lib/viewer-storage.ts';
import { AllCodesChoice } from './offline-choice.tsx';
import { useOfflineChoice } from './use-offline-choice.ts';

const SECTION_ID = 'offline-codes-choice';

/** Whether this device keeps the viewer's codes, how many it keeps, and a button that removes them. */
export function OfflineCodesSettings() {
  const offline = useOfflineChoice();
  const { data, isLoading } = offline.query;
  const remove = async () => {
    await offline.choose(undefined);
    rescueFocus([SECTION_ID]);
  };
  return (
    <Surface p={20} id={SECTION_ID} tabIndex={-1}>
      <Stack align="flex-start">
        <AllCodesChoice offline={offline} />
        {isLoading && hasOfflineCodes() && <Skeleton height={76} aria-busy="true" />}
        {data && (
          <>
            <Text role="status">
              {plural(data.count, {
                one: 'This device keeps # code.',
                other: 'This device keeps # codes.',
              })}{' '}
              <Trans>
                Last renewed: <TimeAgo instant={new Date(data.reachedAt).toISOString()} />
              </Trans>
            </Text>
            <Button variant="default" loading={offline.isBusy} onClick={remove}>
              <Trans>Remove all codes from this device</Trans>
            </Button>
          </>
        )}
      </Stack>
    </Surface>
  );
}
