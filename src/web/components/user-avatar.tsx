import type { CSSProperties } from 'react';
import { stubColor } from '#contract/coupons/stub-colors.ts';
import { PublicPicture } from './public-picture.tsx';
import classes from './user-avatar.module.css';

interface UserAvatarProps {
  readonly username: string;
  readonly profileImageUrl: string | null;
  /** In pixels. */
  readonly size?: number;
}

/** A person's own picture, or else their initial on a colour derived from the name. */
export function UserAvatar({ username, profileImageUrl, size = 36 }: UserAvatarProps) {
  const background = profileImageUrl === null ? stubColor(username) : 'var(--surface-sunken)';
  return (
    <span
      aria-hidden="true"
      className={classes.avatar}
      style={{ '--avatar-size': `${size}px`, background } as CSSProperties}
    >
      {profileImageUrl === null ? (
        username.charAt(0).toUpperCase()
      ) : (
        <PublicPicture className={classes.picture} url={profileImageUrl} alt="" sizes={`${size}px`} />
      )}
    </span>
  );
}
