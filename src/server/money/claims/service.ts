export { findClaimToDecide, moneyUnderWay, obligationsOf } from './claims.ts';
export { keepClaimDeadlines } from './deadlines.ts';
export { discardOldEvidence } from './evidence.ts';
export { findRedemptions } from './findings.ts';
export { releaseDue } from './holds.ts';
export { bidsWithProtection, bidWithProtection, withProtection } from './protection.ts';
