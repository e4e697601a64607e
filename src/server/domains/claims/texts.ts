import { CLAIM_HOURS } from '#contract/claims.ts';
import { quote } from '#contract/words.ts';

/** What happens to a claim. */
export type ClaimAct = 'open' | 'answer' | 'withdraw' | 'uphold' | 'refuse';

interface ClaimTexts {
  readonly claimant: string;
  readonly giver: string;
  readonly mailSubject: string;
}

interface Facts {
  readonly couponTitle: string;
  readonly claimantUsername: string;
  readonly giverUsername: string;
}

const STAYS = 'The codes were seen, so the coupons stay where they are.';

/** The sentences about an act. @param note the moderator's */
export function claimTexts(act: ClaimAct, facts: Facts, note: string | null): ClaimTexts {
  const { claimantUsername: claimant, giverUsername: giver } = facts;
  const coupon = quote(facts.couponTitle);
  const why = `A moderator writes: ${quote(note ?? '')}`;
  switch (act) {
    case 'open':
      return {
        claimant: `You claimed that the code of ${coupon} from ${giver} does not work.`,
        giver: `${claimant} claims that the code of your ${coupon} does not work. Please say what you know of it within ${CLAIM_HOURS} hours: then a moderator decides.`,
        mailSubject: 'Somebody says that your code does not work',
      };
    case 'answer':
      return {
        claimant: `${giver} has answered your claim about ${coupon}. A moderator decides now.`,
        giver: `You answered ${claimant}’s claim about ${coupon}.`,
        mailSubject: 'Your claim was answered',
      };
    case 'withdraw':
      return {
        claimant: `You withdrew your claim about ${coupon}.`,
        giver: `${claimant} withdrew the claim about your ${coupon}.`,
        mailSubject: 'A claim was withdrawn',
      };
    case 'uphold':
      return {
        claimant: `Your claim about ${coupon} was upheld, and ${giver}’s profile says so. ${STAYS} ${why}`,
        giver: `${claimant}’s claim about your ${coupon} was upheld: your profile says that a code did not work. ${STAYS} ${why}`,
        mailSubject: 'A claim was decided',
      };
    case 'refuse':
      return {
        claimant: `Your claim about ${coupon} was refused. ${why}`,
        giver: `${claimant}’s claim about your ${coupon} was refused: it leaves no trace on your profile. ${why}`,
        mailSubject: 'A claim was decided',
      };
  }
}
