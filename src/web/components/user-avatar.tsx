import { Box } from '@mantine/core';
import { stubColor } from '#web/theme/theme.ts';

/** A person's initial on a colour derived from the name; no avatar service is used. */
export function UserAvatar({ username, size = 36 }: { username: string; size?: number }) {
  return (
    <Box
      aria-hidden="true"
      bg={stubColor(username)}
      c="#fff"
      w={size}
      h={size}
      fz={Math.round(size * 0.44)}
      fw={700}
      style={{ borderRadius: '50%', display: 'grid', placeItems: 'center', flex: 'none' }}
    >
      {username.charAt(0).toUpperCase()}
    </Box>
  );
}
