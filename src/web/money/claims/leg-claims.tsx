import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { alternatives } from '#contract/base/locale.ts';
import { quote } from '#contract/base/words.ts';
import { CLAIM_HOURS, type LegClaim } from '#contract/money/claims.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { openDialog } from '#web/lib/open-dialog.ts';
import { trpc } from '#web/lib/trpc.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { AnnouncedEnd } from '#web/money/claims/announced-end.tsx';
import { AnswerClaim, askToWithdraw, ClaimPanel, ClaimWords } from '#web/money/claims/claim-panel.tsx';
import { claimWords } from './wording.ts';

interface LegClaimsProps {
  readonly exchangeId: number;
  readonly completedAt: string | null;
}

/** Of a completed exchange: until when the viewer can claim that a code does not work, and the claims of both sides. */
export function LegClaims({ exchangeId, completedAt }: LegClaimsProps) {
  const viewer = useMember();
  const { data, error } = trpc.claims.ofExchange.useQuery({ exchangeId });
  // The exchange itself is on screen: a failure of its claims is not worth an error message.
  if (error && !data) return null;
  if (!data) return isRecent(completedAt) && <Skeleton height={110} radius="md" aria-hidden="true" />;
  const frameId = `claims-${exchangeId}`;
  const claimable = data.filter(({ mayClaim }) => mayClaim);
  const claimed = data.filter(({ claim }) => claim !== null);
  if (claimable.length + claimed.length === 0) return null;
  return (
    <Stack gap="sm" id={frameId} tabIndex={-1}>
      {claimed.map((leg) => (
        <ClaimedLeg key={leg.couponId} leg={leg} isClaimant={leg.receiverId === viewer.id} />
      ))}
      <ClaimableLegs frameId={frameId} legs={claimable} />
    </Stack>
  );
}

/** Whether there is probably something to show. */
function isRecent(completedAt: string | null): boolean {
  return completedAt !== null && Date.now() - new Date(completedAt).getTime() < CLAIM_HOURS * 3_600_000;
}

/** The coupons whose codes the viewer can try. */
function ClaimableLegs({ frameId, legs }: { frameId: string; legs: readonly LegClaim[] }) {
  const [first] = legs;
  if (!first) return null;
  const until = first.claimBy ? formatDateTime(first.claimBy) : '';
  return (
    <ClaimPanel
      titleId={`${frameId}-title`}
      title={plural(legs.length, {
        one: `Try your new code before ${until}`,
        other: `Try your new codes before ${until}`,
      })}
      text={t`Until then you can claim that the code of ${alternatives(legs.map(({ couponTitle }) => quote(couponTitle)))} does not work.`}
    >
      <Group>
        <Button variant="default" aria-haspopup="dialog" onClick={() => openDialog('claimSwap', { legs })}>
          {plural(legs.length, { one: 'The code does not work', other: 'A code does not work' })}
        </Button>
      </Group>
    </ClaimPanel>
  );
}

/** A claim, for whoever made it or gave the coupon. */
function ClaimedLeg({ leg, isClaimant }: { leg: LegClaim; isClaimant: boolean }) {
  const withdraw = trpc.claims.withdraw.useMutation();
  const { claim } = leg;
  if (claim === null) return null;
  const titleId = `claim-${claim.id}`;
  const isOpen = claim.status === 'open';
  const askIt = () =>
    askToWithdraw({
      text: t`You cannot make another claim about this coupon.`,
      doneText: t`We tell ${leg.giverUsername}.`,
      act: () => withdraw.mutateAsync({ id: claim.id }),
      titleId,
    });
  return (
    <ClaimPanel titleId={titleId} {...claimWords(leg, claim, isClaimant)}>
      <ClaimWords
        lines={[
          {
            who: isClaimant ? t`Your claim` : t`${leg.receiverUsername}’s claim`,
            text: claim.reason,
            pictures: claim.claimantPictures,
          },
          {
            who: isClaimant ? t`${leg.giverUsername}’s answer` : t`Your answer`,
            text: claim.answer,
            pictures: claim.giverPictures,
          },
          { who: t`Reason`, text: claim.note },
        ]}
      />
      <AnnouncedEnd
        claimId={claim.id}
        end={claim.announcedEnd}
        finding={claim.finding}
        isClaimant={isClaimant}
        titleId={titleId}
      />
      {!isClaimant && isOpen && claim.answer === null && (
        <AnswerClaim claimId={claim.id} couponId={leg.couponId} titleId={titleId} />
      )}
      {isOpen && isClaimant && (
        <Group>
          <Button variant="default" aria-haspopup="dialog" onClick={askIt}>
            <Trans>It works after all</Trans>
          </Button>
        </Group>
      )}
    </ClaimPanel>
  );
}
