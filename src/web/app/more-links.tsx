import { UnstyledButton } from '@mantine/core';
import { useClickOutside } from '@mantine/hooks';
import { IconChevronDown } from '@tabler/icons-react';
import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import { LinkLabel } from './link-label.tsx';
import type { NavigationLink } from './navigation.ts';
import classes from './shell.module.css';

/**
 * The links that have no room in the bar, behind a button. Links like the others, right behind it for the keyboard,
 * and no menu of commands. The button says when the page on screen is one of them.
 */
export function MoreLinks({ links }: { links: readonly NavigationLink[] }) {
  const { pathname, key } = useLocation();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const frame = useClickOutside<HTMLDivElement>(() => setIsOpen(false));
  const listId = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: however one leaves the page, the list does not come along
  useEffect(() => setIsOpen(false), [key]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    setIsOpen(false);
    button.current?.focus();
  };
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (relatedTarget && !currentTarget.contains(relatedTarget)) setIsOpen(false);
  };
  const unread = links.reduce((sum, link) => sum + (link.unread ?? 0), 0);
  const isHere = links.some(({ to }) => to === pathname);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears what its button and links let through
    <div ref={frame} className={classes.more} onKeyDown={onKeyDown} onBlur={onBlur}>
      <UnstyledButton
        ref={button}
        className={classes.link}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-current={isHere || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <LinkLabel label="More" unread={unread} /> <IconChevronDown size={16} aria-hidden="true" />
      </UnstyledButton>
      <ul id={listId} className={classes.rest} hidden={!isOpen}>
        {links.map((link) => (
          <li key={link.to}>
            <NavLink to={link.to} end className={classes.link}>
              <LinkLabel label={link.label} unread={link.unread} />
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
