import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ClosedError, createVault, keyReference, sha256 } from './crypto.ts';

const vault = createVault([Buffer.alloc(32, 7)]);

describe('vault', () => {
  it('decrypts only under the context it encrypted with', () => {
    const sealed = vault.seal('SAVE-20-ünïcode', 'coupon:1');
    expect(vault.open(sealed, 'coupon:1')).toBe('SAVE-20-ünïcode');
    expect(() => vault.open(sealed, 'coupon:2')).toThrow();
  });

  it('refuses changed bytes and a different key', () => {
    const sealed = vault.seal('SAVE20', 'coupon:1');
    const changed = Buffer.from(sealed);
    changed[14] = (changed[14] ?? 0) ^ 1;
    expect(() => vault.open(changed, 'coupon:1')).toThrow();
    expect(() => createVault([Buffer.alloc(32, 8)]).open(sealed, 'coupon:1')).toThrow();
  });

  it('encrypts the same text differently each time, and the text is not visible in it', () => {
    const [first, second] = [vault.seal('SAVE20', 'c'), vault.seal('SAVE20', 'c')];
    expect(first.equals(second)).toBe(false);
    expect(first.includes('SAVE20')).toBe(false);
  });

  it('returns the same bytes after encryption, and none of them is visible in between', () => {
    const picture = randomBytes(100_000);
    const sealed = vault.sealBytes(picture, 'image:a');
    expect(sealed.length).toBe(picture.length + 28);
    expect(sealed.includes(picture.subarray(0, 16))).toBe(false);
    expect(vault.openBytes(sealed, 'image:a').equals(picture)).toBe(true);
    expect(vault.openBytes(vault.sealBytes(Buffer.alloc(0), 'image:a'), 'image:a')).toHaveLength(0);
  });

  it('refuses bytes that were cut, changed or moved to another context', () => {
    const sealed = vault.sealBytes(Buffer.from('a picture'), 'image:a');
    expect(() => vault.openBytes(sealed, 'image:b')).toThrow();
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => vault.openBytes(sealed.subarray(0, length), 'image:a'), `${length} bytes`).toThrow();
    }
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => vault.openBytes(changed, 'image:a'), `byte ${at}`).toThrow();
    }
  });

  it('makes equal fingerprints under one key and different ones under another', () => {
    expect(vault.fingerprint('a')).toBe(vault.fingerprint('a'));
    expect(vault.fingerprint('a')).not.toBe(createVault([Buffer.alloc(32, 8)]).fingerprint('a'));
  });

  it('opens what an older key has sealed, seals it again under the newest, and keeps the fingerprints', () => {
    const newest = Buffer.alloc(32, 9);
    const rotating = createVault([newest, Buffer.alloc(32, 8), Buffer.alloc(32, 7)]);
    const sealed = vault.seal('SAVE20', 'coupon:1');
    expect(rotating.open(sealed, 'coupon:1')).toBe('SAVE20');
    expect(() => rotating.open(sealed, 'coupon:2')).toThrow(ClosedError);
    const renewed = rotating.reseal(sealed, 'coupon:1') ?? sealed;
    expect(createVault([newest]).open(renewed, 'coupon:1')).toBe('SAVE20');
    expect(rotating.reseal(renewed, 'coupon:1')).toBeNull();
    expect(rotating.fingerprint('a')).toBe(vault.fingerprint('a'));
  });
});

it('a key is named by 16 digits that differ for each, a token by its SHA-256', () => {
  const names = [7, 8].map((byte) => keyReference(Buffer.alloc(32, byte)));
  expect(names).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), expect.not.stringMatching(`${names[0]}`)]);
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
