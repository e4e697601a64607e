export { remindOfExpiry } from './reminders.ts';
export { useCoupon } from './using.ts';
