import { Skeleton, Stack } from '@mantine/core';
import classes from './checkout.module.css';

/** The card form while it is on its way. */
export function CardFormSkeleton() {
  return (
    <Stack gap="md" aria-busy="true" aria-label="The card form is loading" role="status">
      <CardFieldsSkeleton />
      <Skeleton height={50} radius="xl" />
    </Stack>
  );
}

/** Three fields that are still coming. */
export function CardFieldsSkeleton() {
  return (
    <div className={classes.fieldsSkeleton} aria-hidden="true">
      <Skeleton height={18} width={110} mb={6} />
      <Skeleton height={44} mb={28} />
      <div className={classes.twoFields}>
        <div>
          <Skeleton height={18} width={90} mb={6} />
          <Skeleton height={44} />
        </div>
        <div>
          <Skeleton height={18} width={90} mb={6} />
          <Skeleton height={44} />
        </div>
      </div>
    </div>
  );
}
