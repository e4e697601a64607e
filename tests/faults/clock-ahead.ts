/** Sets this process's clock AHEAD_DAYS ahead, as on a machine where somebody set it wrong. To be imported first. */
const RealDate = Date;
const aheadMs = Number(process.env.AHEAD_DAYS ?? 0) * 86_400_000;

class DateAhead extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(...((given.length === 0 ? [DateAhead.now()] : given) as [number]));
  }
  static override now = () => RealDate.now() + aheadMs;
}
if (aheadMs > 0) globalThis.Date = DateAhead as DateConstructor;

export {};
