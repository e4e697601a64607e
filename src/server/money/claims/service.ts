export { findClaimToDecide, moneyUnderWay, obligationsOf } from './claims.ts';
export { discardOldEvidence } from './evidence.ts';
export { keepClaimDeadlines, releaseDue } from './holds.ts';
export { bidsWithProtection, bidWithProtection, withProtection } from './protection.ts';
