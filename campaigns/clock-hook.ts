/**
 * Loaded into a process by `node --import`, sets that process's clock wrong: `clock-hook.ts?ahead=3600000`. Timers run as ever; it is the
 * time of day that jumps, as when a machine comes back from its sleep or its time service fails.
 */
const ahead = Number(new URL(import.meta.url).searchParams.get('ahead'))
const RealDate = Date

class WrongDate extends RealDate {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(WrongDate.now())
    else super(...given)
  }

  static override now(): number {
    return new RealDate().getTime() + ahead
  }
}

globalThis.Date = WrongDate as DateConstructor
