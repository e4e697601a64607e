import { plural } from '@lingui/core/macro';
import { Button, Text, Title } from '@mantine/core';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Surface } from '#web/components/surface.tsx';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import classes from './deal-panel.module.css';

/** The ways to get a coupon, side by side. On phones their main buttons stay at the bottom of the screen. */
export function DealPanels({ children }: { children: ReactNode }) {
  return <div className={classes.panels}>{children}</div>;
}

interface DealPanelProps {
  readonly title: string;
  /** The main button; filled if this is the first of the ways. */
  readonly button: {
    readonly icon: TablerIcon;
    readonly label: string;
    readonly isPrimary: boolean;
    readonly onClick: () => void;
  };
  /** What the viewer has done, in place of the button. */
  readonly done?: ReactNode;
  /** In how many hours the owner usually answers; null: not known, or nobody has to answer. */
  readonly answerHours: number | null;
  /** What happens, in a few sentences, and other buttons. */
  readonly children: ReactNode;
}

/** One way to get a coupon: what it is, what happens, and its button. */
export function DealPanel({ title, button, done, answerHours, children }: DealPanelProps) {
  return (
    <Surface component="section" className={classes.panel} aria-label={title}>
      <Title order={2} size="h4">
        {title}
      </Title>
      <div className={classes.text}>
        {children}
        {done}
        {answerHours !== null && (
          <Text size="sm" c="dimmed">
            {plural(answerHours, {
              one: 'Usually answered within # hour.',
              other: 'Usually answered within # hours.',
            })}
          </Text>
        )}
      </div>
      {!done && (
        <div className={classes.main}>
          <ActiveOnly>
            <Button
              variant={button.isPrimary ? 'filled' : 'default'}
              leftSection={<button.icon size={18} aria-hidden="true" />}
              onClick={button.onClick}
            >
              {button.label}
            </Button>
          </ActiveOnly>
        </div>
      )}
    </Surface>
  );
}
