export {
  anonymisePerson,
  checkConfirmed,
  checkPassword,
  countryOf,
  currentUser,
  demoPeople,
  findByUsername,
  findPersonStatus,
  isBannedOrGone,
  isNewcomer,
  markDemo,
  refuseDemoPeople,
  setRole,
  setStatusOf,
  takeProfilePictureDown,
} from './accounts.ts';
export { mailClaimIfBanned, mailDefence } from './defence.ts';
export { inLanguageOf } from './languages.ts';
export { accountLinks, removePastTokens } from './links.ts';
export { isAddressFree } from './names.ts';
export { checkPasskey, removePastChallenges } from './passkey-checks.ts';
export { checkIdentity } from './passkeys.ts';
export { enforceSecondFactor, secondFactorContext, turnOffSecondFactor } from './second-factor.ts';
export { addPerson, enterNamed, registerNamed } from './signing-in.ts';
export { endKeysOf, nameOfIssuer, removeWayIn } from './ways-in.ts';
