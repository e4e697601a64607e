import { render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { PageNotice } from './page-notice.tsx';

const setWidth = (width: number) => Reflect.get(window, 'happyDOM').setViewport({ width });
const { innerWidth } = window;

afterEach(() => {
  setWidth(innerWidth);
});

const place = (isKnown: boolean) =>
  render(<PageNotice name="test" label="Test" isKnown={isKnown} notice={null} />).container.querySelector(
    'div',
  );

it('the place of a notice is kept until it is known, also in a window of another width', () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(43);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      readonly observe: () => void;
      constructor(callBack: () => void) {
        this.observe = callBack;
      }
      disconnect() {}
    },
  );
  expect(place(false)?.style.minHeight).not.toBe('43px');
  place(true);
  setWidth(500);
  expect(place(false)?.style.minHeight).toBe('43px');
});
