import { plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { Surface } from '#web/components/surface.tsx';
import { TimeAgo } from '#web/components/time-ago.tsx';
import { keepsCodes } from '#web/lib/kept-values.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { KeepAll } from './keep-codes.tsx';
import { useKeptChoice } from './use-kept-choice.ts';

const SECTION_ID = 'kept-codes-choice';

/** Whether this device keeps the viewer's codes, how many it keeps, and a button that removes them. */
export function KeptCodesSettings() {
  const kept = useKeptChoice();
  const { data, isLoading } = kept.query;
  const remove = async () => {
    await kept.choose(undefined);
    rescueFocus([SECTION_ID]);
  };
  return (
    <Surface p={20} id={SECTION_ID} tabIndex={-1}>
      <Stack align="flex-start">
        <KeepAll kept={kept} />
        {isLoading && keepsCodes() && <Skeleton height={76} aria-busy="true" />}
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
            <Button variant="default" loading={kept.isBusy} onClick={remove}>
              <Trans>Remove all codes from this device</Trans>
            </Button>
          </>
        )}
      </Stack>
    </Surface>
  );
}
