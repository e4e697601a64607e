import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { marketName } from '#contract/base/market.ts';
import { PAGES, paths } from '#contract/base/pages.ts';
import { CLAIM_HOURS } from '#contract/money/claims.ts';
import { HOLD_HOURS } from '#contract/money/payments.ts';
import { PageShell } from '#web/components/page-shell.tsx';

const RISKS: readonly { id: string; title: string; body: ReactNode }[] = [
  {
    id: 'photo',
    title: t`A code that was seen cannot be unseen`,
    body: (
      <Trans>
        Anyone who listed the code or owned the coupon has seen it. They may have kept a photo, a note or the
        email it came in. We cannot know that, and we cannot take it back. Only the merchant can: by replacing
        the code.
      </Trans>
    ),
  },
  {
    id: 'check',
    title: t`A check is not always a check`,
    body: (
      <Trans>
        If a merchant has connected its own system, we ask it whether the code is valid. Otherwise we can only
        see whether the code has the right format: it may be used, expired or made up. A coupon says
        “Verified” only if the merchant’s own system has answered. Even then the code can be used a minute
        later.
      </Trans>
    ),
  },
  {
    id: 'hold',
    title: t`The hold ends`,
    body: (
      <Trans>
        When you buy, we hold the seller’s money for {HOLD_HOURS} hours. Try the code in that time, or ask the
        merchant whether it is good. In that time a claim can get you everything back. After that the seller
        has the money.
      </Trans>
    ),
  },
  {
    id: 'claim',
    title: t`A claim is decided by a person`,
    body: (
      <Trans>
        A moderator reads what both sides say and looks at the evidence. Moderators can be wrong, and some
        cases cannot be proved. After a swap without money, a claim within {CLAIM_HOURS} hours can only show
        on the other person’s profile: the coupons do not change back.
      </Trans>
    ),
  },
  {
    id: 'guarantee',
    title: t`A guarantee pays only while there is money`,
    body: (
      <Trans>
        After the {HOLD_HOURS} hours, what you get back comes from the seller. If they cannot pay, you may get
        it later or only in part. The guarantee covers sales only, and it ends when you mark the coupon as
        used.
      </Trans>
    ),
  },
  {
    id: 'new-code',
    title: t`A new code is only as good as the merchant`,
    body: (
      <Trans>
        Some merchants replace the code when a coupon changes owners. The old code then no longer works, even
        for someone who kept it. If the merchant’s system fails or refuses, there is no new code, and we tell
        you before you agree or right after. The merchant itself can still cancel any code.
      </Trans>
    ),
  },
  {
    id: 'statement',
    title: t`A statement covers ${{ market: marketName() }} only`,
    body: (
      <Trans>
        We record every time a code is shown here, and sign it. That proves what happened on{' '}
        {ph({ market: marketName() })}, and that nobody changed it later. It says nothing about what people
        did with the code elsewhere.{' '}
        <Anchor component={Link} to={paths.proofs} inherit underline="always">
          Check a statement
        </Anchor>
        .
      </Trans>
    ),
  },
  {
    id: 'operator',
    title: t`You trust the people who run this site`,
    body: (
      <Trans>
        Codes are encrypted, but our servers have to open them to show them to their owners. So the people who
        run this site could read codes without leaving an entry, or write false entries before anyone has a
        statement. They cannot change a statement or a published daily root without being found out. Keep your
        statements, and look at our{' '}
        <Anchor component={Link} to={paths.openBooks} inherit underline="always">
          open books
        </Anchor>
        .
      </Trans>
    ),
  },
];

/** What ClipSwap cannot promise, in plain words. */
export function Component() {
  return (
    <PageShell
      title={PAGES.risks.title()}
      text={t`What can go wrong here, and what we cannot do about it.`}
      size="md"
    >
      <Stack gap="xl">
        {RISKS.map(({ id, title, body }) => (
          <section key={id} aria-labelledby={id}>
            <Title order={2} size="h4" id={id} mb={6}>
              {title}
            </Title>
            <Text maw="65ch">{body}</Text>
          </section>
        ))}
        <Text maw="65ch">
          <Trans>
            <Anchor component={Link} to={paths.protection} inherit underline="always">
              How we protect you
            </Anchor>{' '}
            says what we do.
          </Trans>
        </Text>
      </Stack>
    </PageShell>
  );
}
