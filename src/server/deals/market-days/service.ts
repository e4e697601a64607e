export { checkMarketDays, recentMarketDays } from './checking.ts';
export { forecastMarketDay } from './forecast.ts';
export { nextHour } from './hours.ts';
export { runMarketDay } from './running.ts';
