import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { NOT_FOUND_PAGE, paths } from '#contract/base/pages.ts';
import { SHELL_TEXTS } from '#contract/base/shell-texts.ts';
import { SearchDrawing } from '#web/components/drawing.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { PageShell } from '#web/components/page-shell.tsx';

export function Component() {
  return (
    <PageShell title={NOT_FOUND_PAGE.title()} size="md">
      <EmptyState
        title={t`There is nothing at this address`}
        text={SHELL_TEXTS.notFound.hint()}
        drawing={<SearchDrawing />}
        action={
          <Button component={Link} to={paths.home}>
            <Trans>Browse Coupons</Trans>
          </Button>
        }
      />
    </PageShell>
  );
}
