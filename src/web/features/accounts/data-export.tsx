import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { DataExport as Latest } from '#contract/data-exports.ts';
import { QueryContent } from '#web/components/query-content.tsx';
import { Surface } from '#web/components/surface.tsx';
import { formatDateTime, formatMegabytes } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';

const SECTION_ID = 'data-export';
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
      errorTitle="Error loading the copy of your data"
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
        We are making your copy. This can take a few minutes. You can leave this page: we email you when it is
        ready.
      </Text>
    );
  if (state === 'ready' && endsAt && requestedAt && size !== null)
    return (
      <>
        <Text>
          Your copy of {formatDateTime(requestedAt)} is ready
          {hasCodes ? ', with the codes of your coupons' : ''}. You can download it until{' '}
          {formatDateTime(endsAt)}.
        </Text>
        <Group>
          <Button component="a" href="/api/data-export/archive.zip" download>
            Download ({formatMegabytes(size)})
          </Button>
          <AskButton label="Get a new copy" />
        </Group>
      </>
    );
  return (
    <>
      {state === 'failed' && (
        <Alert color="red" variant="light" title="Your copy could not be made">
          Please ask for it again.
        </Alert>
      )}
      <Text>
        Your account, coupons, deals, messages and payments as files that other programs can read, with your
        pictures. We email you when it is ready.
      </Text>
      <AskButton label="Get a copy" />
    </>
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
