import { createDigitReader, type Problem } from './digit-reader.ts';

/**
 * A coupon as GS1's application identifier 8112 carries it: numbers only. What it is worth and until when is in The
 * Coupon Bureau's file, which answers retailers alone.
 */
interface Coupon8112 {
  readonly format: '0' | '1';
  readonly funder: string;
  readonly offerCode: string;
  readonly serialNumber: string;
}

/** Reads what follows 8112. */
export function parseCoupon8112(data: string): { coupon: Coupon8112 } | { problem: Problem } {
  const reader = createDigitReader(data);
  const coupon = {
    format: reader.oneOf({ name: 'FORMAT_CODE', text: 'format' }, ['0', '1']),
    funder: reader.sized({ name: 'FUNDER', text: 'funder’s number' }, { from: 0, to: 6, extra: 6 }),
    offerCode: reader.fixed({ name: 'OFFER_CODE', text: 'offer code' }, 6),
    serialNumber: reader.sized(
      { name: 'SERIAL_NUMBER', text: 'serial number' },
      { from: 0, to: 9, extra: 6 },
    ),
  };
  const problem = reader.finish();
  return problem ? { problem } : { coupon };
}
