import { Trans } from '@lingui/react/macro';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';

/** Says in a deal's dialog what no deal can undo. The link leaves what is typed where it is. */
export function RisksNote() {
  return (
    <Text size="sm">
      <Trans>
        Anyone who saw the code may have kept a copy.{' '}
        <Anchor component={Link} to={paths.risks} target="_blank" inherit underline="always">
          What nobody can promise
        </Anchor>
      </Trans>
    </Text>
  );
}
