import { describe, expect, it } from 'vitest';
import { uuidOrNull, uuidv7 } from './uuid.ts';

describe('uuidv7', () => {
  it('has version 7 and its variant, begins with the time, and never repeats', () => {
    const at = new Date('2026-11-22T04:00:00.123Z');
    const ids = Array.from({ length: 1_000 }, () => uuidv7(at));
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(at.getTime());
    }
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('uuidOrNull', () => {
  it('knows a UUID from other texts', () => {
    const id = uuidv7(new Date());
    expect(uuidOrNull(id)).toBe(id);
    for (const text of ['7', `${id}0`, id.toUpperCase(), '', null, undefined]) {
      expect(uuidOrNull(text)).toBeNull();
    }
  });
});
