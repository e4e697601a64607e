import { Group, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { DEMO_PASSWORD } from '#contract/accounts.ts';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import classes from './demo-people.module.css';
import { useDemoPeople } from './queries.ts';

interface DemoPeopleProps {
  readonly isPending: boolean;
  readonly onChoose: (credentials: { username: string; password: string }) => void;
}

/** Where there is demo data: sign in as one of its people with one press. */
export function DemoPeople({ isPending, onChoose }: DemoPeopleProps) {
  const { data: people = [] } = useDemoPeople();
  if (people.length === 0) return null;
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h4">
          Just looking around?
        </Title>
        <Text size="sm" c="dimmed">
          Step into the shoes of one of our demo people.
        </Text>
      </div>
      {people.map(({ username, bio }) => (
        <UnstyledButton
          key={username}
          className={classes.person}
          disabled={isPending}
          onClick={() => onChoose({ username, password: DEMO_PASSWORD })}
        >
          <Group wrap="nowrap" gap="sm">
            <UserAvatar username={username} />
            <div className={classes.words}>
              <Text fw={650}>Log in as {username}</Text>
              {bio && (
                <Text size="sm" c="dimmed" lineClamp={1}>
                  {bio}
                </Text>
              )}
            </div>
          </Group>
        </UnstyledButton>
      ))}
    </Stack>
  );
}
