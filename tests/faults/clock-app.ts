/** The marketplace on a machine whose clock is AHEAD_DAYS ahead. */
const RealDate = Date;
const aheadMs = Number(process.env.AHEAD_DAYS) * 86_400_000;

class DateAhead extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(...((given.length === 0 ? [DateAhead.now()] : given) as [number]));
  }
  static override now = () => RealDate.now() + aheadMs;
}
globalThis.Date = DateAhead as DateConstructor;

const { main } = await import('#server/main.ts');
await main();

export {};
