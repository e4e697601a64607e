import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Link } from 'react-router-dom';
import { localPath } from '#contract/base/i18n.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { startDefenceInputSchema } from '#contract/people/accounts.ts';
import { MailDrawing } from '#web/components/drawings.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { TokenPage } from '#web/components/token-page.tsx';
import { hasCode, writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Opened by the mailed link of a banned person. Waits for a press, because mail scanners follow links. */
export function Component() {
  return <TokenPage title={PAGES.defend.title()}>{(token) => <Defend token={token} />}</TokenPage>;
}

function Defend({ token }: { token: string }) {
  const start = trpc.accounts.startDefence.useMutation();
  const open = () =>
    start.mutate({ token }, { onSuccess: () => window.location.assign(localPath(paths.myBids)) });
  const isSpent = !startDefenceInputSchema.safeParse({ token }).success || hasCode(start.error, 'bad_input');
  if (isSpent || start.error) {
    return (
      <div role="alert">
        <EmptyState
          title={t`This link no longer works`}
          text={isSpent ? TEXTS.settings.defenceOver() : writeErrorText(start.error, t`Please try again.`)}
          drawing={<MailDrawing isBroken />}
          action={
            isSpent ? (
              <Button component={Link} to={paths.auth}>
                <Trans>Sign in</Trans>
              </Button>
            ) : (
              <Button onClick={open}>
                <Trans>Try again</Trans>
              </Button>
            )
          }
        />
      </div>
    );
  }
  return (
    <EmptyState
      title={t`Your account is banned, but your deals are still yours`}
      text={t`You can see your deals, claim that a code does not work, and answer claims. You cannot do anything else while you are banned.`}
      drawing={<MailDrawing />}
      action={
        <Button loading={start.isPending || start.isSuccess} onClick={open}>
          <Trans>See your deals</Trans>
        </Button>
      }
    />
  );
}
