/** How far a fill is, and how long it will take. */
export class Progress {
  readonly #print: (line: string) => void
  readonly #all: number
  readonly #before: number
  readonly #begun = performance.now()
  #done: number

  constructor(print: (line: string) => void, all: number, done: number) {
    this.#print = print
    this.#all = all
    this.#before = done
    this.#done = done
  }

  add(payments: number): void {
    this.#done += payments
    const seconds = (performance.now() - this.#begun) / 1000
    this.#print(progressLine({ done: this.#done, before: this.#before, all: this.#all, seconds }))
  }

  say(line: string): void {
    this.#print(`${((performance.now() - this.#begun) / 1000).toFixed(0)} s: ${line}`)
  }
}

interface Reached {
  readonly done: number
  /** Of these, what was there before this run. */
  readonly before: number
  readonly all: number
  readonly seconds: number
}

export function progressLine({ done, before, all, seconds }: Reached): string {
  const perSecond = (done - before) / seconds
  const left = (all - done) / perSecond
  const share = `${done} of ${all} payments, ${Math.floor((done / all) * 100)} %`
  return `${seconds.toFixed(0)} s: ${share}, ${perSecond.toFixed(0)} per second, about ${Math.ceil(left / 60)} min left.`
}
