/**
 * Loaded into a process by `node --import`, sets its clock wrong: `clock-hook.ts?ahead=3600000`. Timers are not affected; only the time of
 * day jumps, as when a machine wakes up or its time service fails.
 */
const ahead = Number(new URL(import.meta.url).searchParams.get('ahead'))
const RealDate = Date
const wrongNow = (): number => RealDate.now() + ahead

// No subclass: a date that Node made, such as a file's, has to remain an instance of it.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, parameters, as) =>
    Reflect.construct(target, parameters.length === 0 ? [wrongNow()] : parameters, as),
  apply: () => new RealDate(wrongNow()).toString(),
  get: (target, key, receiver) => (key === 'now' ? wrongNow : Reflect.get(target, key, receiver)),
})
