import { ActionIcon, Button } from '@mantine/core';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import type { AriaAttributes } from 'react';

/** Something that a person can do: a button or a line in a menu. */
export interface Action extends Pick<AriaAttributes, 'aria-haspopup' | 'aria-pressed'> {
  readonly icon: TablerIcon;
  /** What it does, in a word or two: its text, unless it shows the icon alone. */
  readonly label: string;
  /** What it does, and to what, where the text does not say so. */
  readonly name: string;
  /** The hint on hover of the icon alone. */
  readonly hint?: string;
  readonly onClick: () => void;
}

interface ActionButtonProps extends Action {
  readonly isIcon?: boolean;
}

/** A secondary action: a button with icon and text, or a small one with the icon alone. */
export function ActionButton(props: ActionButtonProps) {
  const { icon: Icon, label, name, hint = name, isIcon, ...button } = props;
  return isIcon ? (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      radius="xl"
      title={hint}
      aria-label={name}
      {...button}
    >
      <Icon size={20} aria-hidden="true" color="var(--mantine-color-text)" />
    </ActionIcon>
  ) : (
    <Button
      variant="default"
      leftSection={<Icon size={18} aria-hidden="true" />}
      aria-label={name === label ? undefined : name}
      {...button}
    >
      {label}
    </Button>
  );
}
