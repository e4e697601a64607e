import { describe, expect, it } from 'vitest';
import type { FoundCode } from '#contract/coupons/images.ts';
import { likeliestCode, maySee } from './rules.ts';
import { imageIdOf, imageUrl } from './view.ts';

const code = (format: string, text: string): FoundCode => ({ format, text, isText: true, position: [] });

describe('the most likely code', () => {
  const matrix = [
    'QRCode',
    'MicroQRCode',
    'RMQRCode',
    'DataMatrix',
    'Aztec',
    'PDF417',
    'MicroPDF417',
    'MaxiCode',
  ];
  const linear = ['Code128', 'Code39', 'EAN13', 'UPCA', 'UPCE', 'ITF', 'Codabar', 'DataBar', 'DataBarExp'];

  it.each(matrix)('next to a %s is the code of the requested kind', (square) => {
    for (const bars of linear) {
      const codes = [code(square, 'square'), code(bars, 'bars')];
      for (const found of [codes, codes.toReversed()]) {
        expect(likeliestCode(found, 'qrcode')).toBe('square');
        expect(likeliestCode(found, 'barcode')).toBe('bars');
      }
    }
  });

  it('is the first of its kind, or else the first code found, or else null', () => {
    const codes = [code('EAN13', 'first'), code('Code128', 'second')];
    expect(likeliestCode(codes, 'barcode')).toBe('first');
    expect(likeliestCode(codes, 'qrcode')).toBe('first');
    expect(likeliestCode([], 'qrcode')).toBeNull();
  });
});

describe('an unattached upload', () => {
  const noon = new Date('2035-06-15T12:00:00.000Z');
  const later = (hours: number, ms = 0) => new Date(noon.getTime() + hours * 3_600_000 + ms);

  it('is visible only to its uploader, for a day', () => {
    const image = { uploaderId: 1, createdAt: noon };
    expect(maySee(image, 1, later(24, -1))).toBe(true);
    expect(maySee(image, 1, later(24))).toBe(false);
    expect(maySee(image, 2, noon)).toBe(false);
    expect(maySee(image, null, noon)).toBe(false);
  });

  it('of an anonymous caller is visible to everybody who knows its id, for an hour', () => {
    const image = { uploaderId: null, createdAt: noon };
    for (const viewer of [null, 1]) {
      expect(maySee(image, viewer, later(1, -1))).toBe(true);
      expect(maySee(image, viewer, later(1))).toBe(false);
    }
  });
});

it("an image's URL contains its id", () => {
  expect(imageIdOf(imageUrl('abc-_123'))).toBe('abc-_123');
});
