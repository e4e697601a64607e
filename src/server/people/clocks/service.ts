export { feelPulse, resumeClock, stopClock } from './clock-stops.ts';
