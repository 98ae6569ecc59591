/**
 * Loaded into a process by `node --import`, sets its clock wrong: `clock-hook.ts?ahead=3600000`. Timers are not affected; only the time of
 * day jumps, as when a machine wakes up or its time service fails.
 */
const ahead = Number(new URL(import.meta.url).searchParams.get('ahead'))
const RealDate = Date

class WrongDate extends RealDate {
  constructor(...parameters: ConstructorParameters<typeof Date> | []) {
    if (parameters.length === 0) super(WrongDate.now())
    else super(...parameters)
  }

  static override now(): number {
    return new RealDate().getTime() + ahead
  }
}

globalThis.Date = WrongDate as DateConstructor
