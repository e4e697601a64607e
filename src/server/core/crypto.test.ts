import { describe, expect, it } from 'vitest';
import { createVault } from './crypto.ts';

const vault = createVault(Buffer.alloc(32, 7));

describe('vault', () => {
  it('opens what it sealed, under the same context only', () => {
    const sealed = vault.seal('SAVE-20-ünïcode', 'coupon:1');
    expect(vault.open(sealed, 'coupon:1')).toBe('SAVE-20-ünïcode');
    expect(() => vault.open(sealed, 'coupon:2')).toThrow();
  });

  it('refuses changed bytes and another key', () => {
    const sealed = vault.seal('SAVE20', 'coupon:1');
    const changed = Buffer.from(sealed);
    changed[14] = (changed[14] ?? 0) ^ 1;
    expect(() => vault.open(changed, 'coupon:1')).toThrow();
    expect(() => createVault(Buffer.alloc(32, 8)).open(sealed, 'coupon:1')).toThrow();
  });

  it('seals the same text differently each time and never in plain sight', () => {
    const [first, second] = [vault.seal('SAVE20', 'c'), vault.seal('SAVE20', 'c')];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('SAVE20')).toBe(false);
  });

  it('fingerprints equally under one key, differently under another', () => {
    expect(vault.fingerprint('a')).toBe(vault.fingerprint('a'));
    expect(vault.fingerprint('a')).not.toBe(createVault(Buffer.alloc(32, 8)).fingerprint('a'));
  });
});
