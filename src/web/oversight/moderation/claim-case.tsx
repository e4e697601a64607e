import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, SimpleGrid, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useId, useState } from 'react';
import { listed } from '#contract/base/locale.ts';
import type { Claim } from '#contract/money/claims.ts';
import type { ClaimCase as Case } from '#contract/oversight/cases.ts';
import { QueryContent } from '#web/components/query-content.tsx';
import { Surface } from '#web/components/surface.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { Lines, PersonRecord } from './person-record.tsx';
import { CLAIM_ENDS } from './wording.ts';

/** A button that opens what there is to know about a claim: both people, the deal, and similar claims. */
export function ClaimCase({ claim }: { claim: Claim }) {
  const [isOpen, setIsOpen] = useState(false);
  const contentId = useId();
  return (
    <>
      <div>
        <Button
          variant="subtle"
          color="gray"
          c="inherit"
          aria-expanded={isOpen}
          aria-controls={isOpen ? contentId : undefined}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? (
            <Trans>
              Hide the case<VisuallyHidden> about {claim.couponTitle}</VisuallyHidden>
            </Trans>
          ) : (
            <Trans>
              Show the whole case<VisuallyHidden> about {claim.couponTitle}</VisuallyHidden>
            </Trans>
          )}
        </Button>
      </div>
      {isOpen && (
        <div id={contentId}>
          <CaseContent claim={claim} />
        </div>
      )}
    </>
  );
}

function CaseContent({ claim: { id, claimantUsername } }: { claim: Claim }) {
  const query = trpc.moderation.claimCase.useQuery({ id });
  return (
    <QueryContent query={query} errorTitle={t`Failed to load the case`} skeleton={<Skeleton height={480} />}>
      {({ claimant, giver, events, reveals, coupon, similar }) => (
        <Stack gap="lg">
          <Lines
            title={t`The deal, in the words that ${claimantUsername} was sent`}
            none={t`Nothing was recorded.`}
            lines={events.map(({ id, createdAt, details }) => ({ id, at: createdAt, text: details }))}
          />
          <Lines
            title={t`Who saw the code, and when`}
            none={t`Neither of them has seen the code since the deal began.`}
            lines={reveals.map(({ id, username, revealedAt }) => ({
              id,
              at: revealedAt,
              text: username,
            }))}
          />
          <Text>{whereIs(coupon)}</Text>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {[claimant, giver].map((record) => (
              <Surface key={record.id} component="section" isSunken>
                <Title order={3} size="h5" mb="xs">
                  {record === claimant ? t`Who claims` : t`Who gave the code`}
                </Title>
                <PersonRecord record={record} />
              </Surface>
            ))}
          </SimpleGrid>
          <Lines
            title={t`How claims about this merchant were decided`}
            none={t`There were none.`}
            lines={similar.map(similarLine)}
          />
        </Stack>
      )}
    </QueryContent>
  );
}

function whereIs({ ownerUsername: owner, isUsed, seenBy }: Case['coupon']): string {
  const others = seenBy.length === 0 ? '' : listed(seenBy);
  if (others === '')
    return isUsed
      ? t`${owner} has the coupon now, used. Nobody else has seen its code.`
      : t`${owner} has the coupon now, unused. Nobody else has seen its code.`;
  return isUsed
    ? t`${owner} has the coupon now, used. Its code was also seen by ${others}.`
    : t`${owner} has the coupon now, unused. Its code was also seen by ${others}.`;
}

function similarLine({ id, status, couponTitle, reason, note, decidedAt }: Case['similar'][number]) {
  return {
    id,
    at: decidedAt ?? '',
    text: t`“${couponTitle}”: ${CLAIM_ENDS[status]}. They wrote: “${reason}”`,
    note,
  };
}
