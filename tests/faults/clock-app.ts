import './clock-ahead.ts';
import { main } from '#server/main.ts';

/** The marketplace on a machine whose clock may be ahead. */
await main();
