export { remindOfExpiry } from './reminders.ts';
