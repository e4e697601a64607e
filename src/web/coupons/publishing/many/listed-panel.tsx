import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#contract/base/pages.ts';
import { Surface } from '#web/components/surface.tsx';
import { toasts } from '#web/lib/toasts.ts';
import { type Listed, useUndo } from './listing.ts';

interface ListedPanelProps {
  readonly listed: readonly Listed[];
  readonly onRemoved: (listed: Listed) => void;
}

const removedText = (count: number) => plural(count, { one: '# coupon removed', other: '# coupons removed' });

/** What has been listed here, and a way to remove all of it. */
export function ListedPanel({ listed, onRemoved }: ListedPanelProps) {
  const undo = useUndo(onRemoved);
  const removeAll = async () => {
    const [reason, ...more] = await undo.mutateAsync(listed);
    if (reason === undefined) return toasts.success(removedText(listed.length));
    const stays = plural(more.length + 1, { one: '# coupon stays.', other: '# coupons stay.' });
    toasts.failure(removedText(listed.length - more.length - 1), `${stays} ${reason}`);
  };
  return (
    <Surface component="section" gap={8} aria-labelledby="listed-here">
      <div role="status">
        <Title order={2} size="h4" id="listed-here">
          {plural(listed.length, { one: '# coupon listed', other: '# coupons listed' })}
        </Title>
      </div>
      {notesOn(listed).map((note) => (
        <Text key={note} size="sm">
          {note}
        </Text>
      ))}
      <Group gap="sm">
        <Button variant="default" component={Link} to={paths.myCoupons}>
          <Trans>Go to My Coupons</Trans>
        </Button>
        <Button variant="subtle" color="gray" loading={undo.isPending} onClick={removeAll}>
          <Trans>Undo all</Trans>
        </Button>
      </Group>
    </Surface>
  );
}

/** What others do not see yet, and why. */
function notesOn(listed: readonly Listed[]): string[] {
  const count = (state: Listed['state']) => listed.filter((each) => each.state === state).length;
  const [waiting, unconfirmed, personal] = [count('waiting'), count('unconfirmed'), count('personal')];
  return [
    waiting > 0 &&
      plural(waiting, {
        one: 'A moderator will check # of them before others can see it.',
        other: 'A moderator will check # of them before others can see them.',
      }),
    unconfirmed > 0 && t`Others can see them once you confirm your email address.`,
    personal > 0 &&
      plural(personal, {
        one: '# of them has a public code, so it is not listed. It is in My Coupons for your own use.',
        other:
          '# of them have public codes, so they are not listed. They are in My Coupons for your own use.',
      }),
  ].filter((note) => note !== false);
}
