export { followFeeds } from './feeds.ts';
export { openSources } from './opening.ts';
