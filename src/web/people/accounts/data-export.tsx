import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { MouseEvent } from 'react';
import type { DataExport as Latest } from '#contract/oversight/data-exports.ts';
import { QueryContent } from '#web/components/query-content.tsx';
import { Surface } from '#web/components/surface.tsx';
import { formatDateTime, formatMegabytes } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { askFor } from '#web/lib/prompts.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useSecondFactor } from './queries.ts';

const SECTION_ID = 'data-export';
const ARCHIVE = '/api/data-export/archive.zip';
/** How often we look whether a copy is ready. */
const LOOK_EVERY_MS = 5_000;

/** The copy of the viewer's data: asks for one, waits for it, and downloads it. */
export function DataExport() {
  const query = trpc.dataExports.latest.useQuery(undefined, {
    refetchInterval: ({ state: { data } }) => data?.state === 'making' && LOOK_EVERY_MS,
  });
  return (
    <QueryContent
      query={query}
      errorTitle={t`Error loading the copy of your data`}
      skeleton={<Skeleton height={118} radius="md" />}
    >
      {(latest) => (
        <Surface p={20} id={SECTION_ID} tabIndex={-1}>
          <Stack align="flex-start" role="status">
            <State latest={latest} />
          </Stack>
        </Surface>
      )}
    </QueryContent>
  );
}

function State({ latest }: { latest: Latest }) {
  const { state, hasCodes, requestedAt, endsAt, size } = latest;
  if (state === 'making')
    return (
      <Text>
        <Trans>
          We are making your copy. This can take a few minutes. You can leave this page: we email you when it
          is ready.
        </Trans>
      </Text>
    );
  if (state === 'ready' && endsAt && requestedAt && size !== null)
    return (
      <>
        <Text>
          {hasCodes
            ? t`Your copy of ${formatDateTime(requestedAt)} is ready, with the codes of your coupons.`
            : t`Your copy of ${formatDateTime(requestedAt)} is ready.`}{' '}
          <Trans>You can download it until {formatDateTime(endsAt)}.</Trans>
        </Text>
        <Group>
          <DownloadButton hasCodes={hasCodes} size={size} />
          <AskButton label={t`Get a new copy`} />
        </Group>
      </>
    );
  return (
    <>
      {state === 'failed' && (
        <Alert color="red" variant="light" title={t`Your copy could not be made`}>
          <Trans>Please ask for it again.</Trans>
        </Alert>
      )}
      <Text>
        <Trans>
          Your account, coupons, deals, messages and payments as files that other programs can read, with your
          pictures. We email you when it is ready.
        </Trans>
      </Text>
      <AskButton label={t`Get a copy`} />
    </>
  );
}

/** A copy with codes asks for the second factor, which a link cannot. */
function DownloadButton({ hasCodes, size }: { hasCodes: boolean; size: number }) {
  const { data: factor } = useSecondFactor(hasCodes);
  const confirmAndOpen = async (event: MouseEvent) => {
    event.preventDefault();
    if (await askFor('second_factor_required')) location.assign(ARCHIVE);
  };
  return (
    <Button
      component="a"
      href={ARCHIVE}
      download
      loading={hasCodes && !factor}
      onClick={factor?.isOn ? confirmAndOpen : undefined}
    >
      <Trans>Download ({formatMegabytes(size)})</Trans>
    </Button>
  );
}

function AskButton({ label }: { label: string }) {
  return (
    <Button
      variant="default"
      aria-haspopup="dialog"
      onClick={() => openDialog('requestDataExport', undefined, { focusAfter: [SECTION_ID] })}
    >
      {label}
    </Button>
  );
}
