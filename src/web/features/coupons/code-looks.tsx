import { Skeleton, Title } from '@mantine/core';
import type { RevealedCode } from '#contract/coupons.ts';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import classes from './redeem-dialog.module.css';

type Looks = RevealedCode['reveals'];

/** The latest looks at a code: whose, and when. Missing until they have come. */
export function CodeLooks({ looks }: { looks: Looks | undefined }) {
  return (
    <div>
      <Title order={3} size="h5" mb={8}>
        Who has seen this code
      </Title>
      {looks ? (
        <ul className={classes.looks}>
          {looks.map(({ username, revealedAt }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two looks may be equal
            <li key={index} className={classes.look}>
              <UserAvatar username={username} size={28} />
              <span className={classes.who}>{username}</span>
              <time dateTime={revealedAt} className={classes.when}>
                {formatDateTime(revealedAt)}
              </time>
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton height={44} aria-busy="true" />
      )}
    </div>
  );
}
