export { limitFeedback, storeFailure, storeFeedback } from './code-feedback.ts';
export {
  attachImages,
  canBeDrawn,
  codeOf,
  isPublicCode,
  lookAtEdited,
  lookAtNew,
  marksOf,
  OWN_USE,
  refuseListed,
  refusePublic,
  sealCode,
  storeCode,
  storedCode,
  storePin,
} from './codes.ts';
export { exportCoupons } from './exporting.ts';
export {
  beginReissues,
  checkNotReissuing,
  continueMoved,
  endMinted,
  listOfExchange,
  lockOfExchange,
  mint,
  queueReissues,
  replaceCodes,
  restore,
  restoreExchange,
  TAKEN_MINUTES,
  takeDue,
} from './reissuing.ts';
export { forgetOldOrigins, noteView, viewCode } from './reveals.ts';
export { askAboutOffer, askAgain, askForUses, checkUnchanged } from './validation.ts';
