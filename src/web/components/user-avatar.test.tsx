import { expect, it } from 'vitest';
import { renderFor } from '#web/testing/render.tsx';
import { UserAvatar } from './user-avatar.tsx';

it('an avatar is the initial of the name, drawn here: no picture is asked for anywhere', () => {
  const { container } = renderFor(null, <UserAvatar username="mia" />);
  expect(container.textContent).toContain('M');
  expect(container.querySelector('img, image, iframe, [style*="url("]')).toBeNull();
});
