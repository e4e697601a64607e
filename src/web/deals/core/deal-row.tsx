import { t } from '@lingui/core/macro';
import { Group, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Action } from '#web/components/action-button.tsx';
import { ActionMenu } from '#web/components/action-menu.tsx';
import { CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { Surface } from '#web/components/surface.tsx';
import classes from './deal-row.module.css';

interface DealRowProps {
  /** The coupons of the deal. */
  readonly tickets?: ReactNode;
  /** The same in words, for brief rows. */
  readonly about: string;
  /** Where it stands, in one sentence: the link to its details. */
  readonly sentence: string;
  /** The address of its details. */
  readonly to: string;
  /** Until when somebody has to act, or why it ended. */
  readonly note: string | null;
  /** What the viewer is to do next. */
  readonly nextAct: ReactNode;
  /** The rarer actions, behind ⋯. */
  readonly actions?: readonly Action[];
}

/** A deal in the list of all kinds. */
export function DealRow({ tickets, about, sentence, to, note, nextAct, actions }: DealRowProps) {
  return (
    <Surface component="li" className={classes.row}>
      <div className={classes.tickets}>{tickets}</div>
      <div className={classes.words}>
        <Text component={Link} to={to} fw={600} className={classes.sentence}>
          {sentence}
        </Text>
        <Text size="sm" c="dimmed" className={classes.note}>
          {note} <span className={classes.about}>{about}</span>
        </Text>
      </div>
      <Group gap="xs" wrap="nowrap" className={classes.acts}>
        {nextAct}
        {actions && <ActionMenu name={t`More about this deal: ${sentence}`} actions={actions} />}
      </Group>
    </Surface>
  );
}

/** Rows of one height each, with words for the coupons and without the rarer actions. */
export function BriefDealRows({ children }: { children: ReactNode }) {
  return (
    <PlainList gap={8} className={classes.brief}>
      {children}
    </PlainList>
  );
}

/** A row while it loads. */
export function DealRowSkeleton() {
  return (
    <Surface className={classes.row} aria-hidden="true">
      <CouponTicketSkeleton size="mini" />
      <div className={classes.words}>
        <Skeleton height={18} width="80%" />
        <Skeleton height={14} width="45%" mt={6} />
      </div>
      <Group gap="xs" wrap="nowrap" className={classes.acts}>
        <Skeleton height={36} width={110} radius="xl" />
        <Skeleton height={36} width={36} circle />
      </Group>
    </Surface>
  );
}
