import { describe, expect, it } from 'vitest';
import { liftOf } from './toast-place.ts';

const box = (top: number, bottom: number, left = 0, right = 390) => ({ top, bottom, left, right });
/** At the lower edge of a phone. */
const TOAST = box(750, 830);

describe('a toast', () => {
  it('stays at the lower edge where no button is', () => {
    expect(liftOf(TOAST, [box(600, 644)])).toBe(0);
    expect(liftOf(TOAST, [])).toBe(0);
  });

  it('rises above the buttons that it would cover [decisions 6.0.1]', () => {
    expect(liftOf(TOAST, [box(780, 824)])).toBe(830 - 780 + 8);
  });

  it('rises above those that are in its way up', () => {
    expect(liftOf(TOAST, [box(700, 744), box(780, 824)])).toBe(830 - 700 + 8);
  });

  it('is not moved by buttons beside it', () => {
    expect(liftOf({ ...TOAST, left: 900, right: 1_260 }, [box(780, 824, 0, 800)])).toBe(0);
  });

  it('stays where there is no place without buttons', () => {
    const rows = Array.from({ length: 14 }, (_, row) => box(row * 60, row * 60 + 44));
    expect(liftOf(TOAST, rows)).toBe(0);
  });
});
