import { expect, it } from 'vitest';
import { canonicalCode } from '#server/core/fold.ts';
import { readMailText, type ToldCoupon } from '#server/readers/mails/mail-text.ts';
import { openMail } from '#server/readers/mails/opening.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import type { DrawnCoupon } from './drawn-facts.ts';
import { drawMail } from './drawn-mails.ts';

const TODAY = '2026-11-28';
const MAILS = shortOrLong(100, 1_000);
/** Of all facts of a kind, in per cent. */
const LEAST_RIGHT = 95;

async function read(bytes: Buffer): Promise<readonly ToldCoupon[]> {
  const parts = (await openMail(bytes))?.parts ?? [];
  return parts.flatMap((part) => (part.kind === 'text' ? readMailText(part, TODAY).coupons : []));
}

type Verdict = 'right' | 'doubted' | 'wrong';
const judge = (isRight: boolean, isDoubted: boolean): Verdict =>
  isRight ? 'right' : isDoubted ? 'doubted' : 'wrong';

/** How well the facts of a coupon were read: nothing at all leaves an empty field, which a person fills in. */
function verdictsOf(
  drawn: DrawnCoupon,
  told: ToldCoupon | undefined,
): Record<'code' | 'pin' | 'value' | 'last day', Verdict> {
  if (!told) return { code: 'doubted', pin: 'doubted', value: 'doubted', 'last day': 'doubted' };
  const { worth, expiryDate, hasNoExpiry } = told.print;
  const day = expiryDate?.value ?? (hasNoExpiry ? 'never' : null);
  const isValue = worth?.value.value === drawn.value && worth.value.discountType === drawn.discountType;
  return {
    code: judge(
      canonicalCode(told.code) === canonicalCode(drawn.code),
      told.code === '' || told.doubtful.includes('code'),
    ),
    pin: judge(told.pin === drawn.pin, told.pin === '' || told.doubtful.includes('pin')),
    value: judge(isValue, worth === null || worth.isDoubtful),
    'last day': judge(day === drawn.lastDay, day === null || (expiryDate?.isDoubtful ?? false)),
  };
}

it('what a person sees in a mail is what is read, or it is doubted', async () => {
  const counts = new Map<string, number>();
  const wrong: string[] = [];
  for (let seed = 1; seed <= MAILS; seed += 1) {
    const { bytes, about, coupons } = drawMail(seed);
    const told = await read(bytes);
    const key = ({ code }: { code: string }) => canonicalCode(code);
    for (const one of told)
      if (
        !coupons.some((each) => key(each) === key(one)) &&
        one.code !== '' &&
        !one.doubtful.includes('code')
      )
        wrong.push(`mail ${seed} (${about}): the code ${one.code}`);
    for (const [nth, drawn] of coupons.entries()) {
      const one =
        told.find((each) => key(each) === key(drawn)) ??
        (told.length === coupons.length ? told[nth] : undefined);
      for (const [fact, verdict] of Object.entries(verdictsOf(drawn, one))) {
        counts.set(`${fact} ${verdict}`, (counts.get(`${fact} ${verdict}`) ?? 0) + 1);
        const said = `mail ${seed} (${about}): the ${fact} of ${JSON.stringify(drawn)}, read as ${JSON.stringify(one)}`;
        if (verdict === 'wrong') wrong.push(said);
      }
      const texts = JSON.stringify([one?.print.title, one?.print.terms, one?.print.names]);
      expect([texts.includes(drawn.code), drawn.pin !== '' && texts.includes(drawn.pin)]).toEqual([
        false,
        false,
      ]);
    }
  }
  expect(wrong).toEqual([]);
  for (const fact of ['code', 'pin', 'value', 'last day']) {
    const [right, doubted] = [counts.get(`${fact} right`) ?? 0, counts.get(`${fact} doubted`) ?? 0];
    expect((100 * right) / (right + doubted), `the ${fact}`).toBeGreaterThanOrEqual(LEAST_RIGHT);
  }
});
