import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCoupon8110, parseCoupon8112 } from './coupon-8110.ts';

/**
 * The vectors of GS1's own checker (gs1/gs1-syntax-dictionary, Apache-2.0), in columns separated by tabs:
 * identifier, outcome, data, reason.
 */
const rows = readFileSync(new URL('gs1-vectors.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [identifier = '', outcome = '', data = '', reason = ''] = line.split('\t');
    return { identifier, outcome, data, reason: reason.replace('GS1_LINTER_', '') };
  });

/** These need a register of company prefixes, which we do not have; the codes themselves are well formed. */
const NEEDS_REGISTER = [
  '012345612345611110123',
  '012345612345611110123101101230123456',
  '01234561234561111012321101230123456',
  '012345612345611110123611234567',
];
const needsRegister = ({ reason }: { reason: string }) => reason.startsWith('GCP_');

const now = new Date('2026-11-21T12:00:00Z');
const parse = ({ identifier, data }: { identifier: string; data: string }) =>
  identifier === '8110' ? parseCoupon8110(data, now) : parseCoupon8112(data);

function outcomeOf(row: (typeof rows)[number]): string {
  const read = parse(row);
  return 'problem' in read ? read.problem.name : 'PASS';
}

describe('GS1’s test vectors', () => {
  it('are complete', () => {
    expect(rows).toHaveLength(234);
    expect(new Set(rows.map(({ identifier }) => identifier))).toEqual(new Set(['8110', '8112']));
    expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['PASS', 'FAIL']));
    expect(rows.every(({ outcome, reason }) => (outcome === 'FAIL') === (reason !== ''))).toBe(true);
  });

  it.each(rows.filter((row) => !needsRegister(row)))('$identifier $data: $outcome $reason', (row) => {
    expect(outcomeOf(row)).toBe(row.outcome === 'PASS' ? 'PASS' : row.reason);
  });

  it('differ only where the register of company prefixes is needed', () => {
    const ofRegister = rows.filter(needsRegister);
    expect(ofRegister.map(({ data }) => data)).toEqual(NEEDS_REGISTER);
    expect(new Set(ofRegister.map(({ reason }) => reason))).toEqual(new Set(['GCP_DATASOURCE_OFFLINE']));
    expect(ofRegister.map(outcomeOf)).toEqual(NEEDS_REGISTER.map(() => 'PASS'));
  });

  it('get messages that contain none of the digits', () => {
    for (const row of rows) {
      const read = parse(row);
      if ('problem' in read) expect(read.problem.text()).toMatch(/^its? [\p{L}’ ]+$/u);
    }
  });
});

describe('cases without a vector', () => {
  it.each([
    ['8110', '', 'COUPON_MISSING_GCP_VLI'],
    ['8110', `${'0'.repeat(71)}`, 'TOO_LONG'],
    ['8112', '', 'COUPON_MISSING_FORMAT_CODE'],
    ['8110', '0123456123456', 'COUPON_MISSING_SAVE_VALUE_VLI'],
    ['8110', '012345612345611', 'COUPON_MISSING_1ST_PURCHASE_REQUIREMENT_VLI'],
    ['8110', '01234561234561121', 'COUPON_TRUNCATED_1ST_PURCHASE_REQUIREMENT'],
    ['8110', '0123456123456111101231', 'COUPON_MISSING_ADDITIONAL_PURCHASE_RULES_CODE'],
    ['8110', '012345612345611110123101', 'COUPON_TRUNCATED_2ND_PURCHASE_REQUIREMENT'],
    ['8110', '0123456123456111101235', 'COUPON_MISSING_SERIAL_NUMBER_VLI'],
    ['8110', '0123456123456111101239', 'COUPON_MISSING_SAVE_VALUE_CODE'],
    // A later part is followed by an earlier one.
    ['8110', '01234561234561111012342601013261231', 'COUPON_EXCESS_DATA'],
  ])('%s %s: %s', (identifier, data, reason) => {
    expect(outcomeOf({ identifier, data, outcome: 'FAIL', reason })).toBe(reason);
  });
});
