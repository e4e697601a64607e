export { finishStatusEffects } from './effects.ts';
export { resetSecondFactor } from './lost-factors.ts';
export { endSuspensions, listUsers, setUserStatus, setUserStatuses, userRows } from './status.ts';
