/** The test clock: a sandbox instance and its sandbox acquirer advance together, and everything that becomes due happens. */
import { dayMs } from '#domain/time.ts'
import { instanceStore } from '#server/store/instance/instance.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { networkReason } from '../../kit/network-reason.ts'
import { argument, flag } from '../../kit/options.ts'
import * as readers from '../../kit/readers.ts'
import { findSandboxUrl, moveSandboxClock, type SandboxClock } from '../../kit/sandbox.ts'
import { record } from '../../kit/table.ts'

const json = { json: flag('Prints JSON.') }

const noTestClock = 'A live instance uses the clock of its machine.'

export const clockCommands: readonly Command[] = [
  command({
    name: 'clock show',
    sandboxOnly: noTestClock,
    summary: 'Shows the clocks of the instance and the sandbox acquirer.',
    args: {},
    options: json,
    async run(context, _args, { json: asJson }) {
      await using instance = await openInstance(context)
      const url = await findSandboxUrl(instance.config)
      const sandbox = url === null ? null : await moveSandboxClock(url).catch(() => null)
      const fields = [
        ['instance', instance.clock.now()],
        ['ahead_by', formatDuration(instance.clock.offsetMs)],
        ['sandbox', sandbox?.now ?? null],
        ['sandbox_ahead_by', sandbox ? formatDuration(sandbox.offsetMs) : null],
      ] as const
      if (asJson) printJson(context.output, Object.fromEntries(fields))
      else context.output.out(record(fields))
      if (sandbox === null)
        context.output.err('Note: the sandbox acquirer does not answer. Check that the service is running.')
      else if (sandbox.offsetMs !== instance.clock.offsetMs) context.output.err('Note: the two clocks differ.')
    },
  }),

  command({
    name: 'clock advance',
    sandboxOnly: noTestClock,
    changes: true,
    summary: 'Moves the clock of a sandbox instance forward.',
    details: 'The clock cannot move back: work that is already done would become due again.',
    args: { time: argument('TIME', readers.duration(3650)) },
    options: {},
    examples: ['gatehouse clock advance 30d', 'gatehouse clock advance 1d12h'],
    async run(context, { time }) {
      await using instance = await openInstance(context)
      // The acquirer first: if it does not answer, neither clock has moved.
      const sandbox = await advanceSandbox(instance, time)
      if (sandbox === null)
        context.output.err('Note: the sandbox acquirer was not found; only the clock of the instance moved.')
      await instance.change(async ({ pool, clock, note }) => {
        clock.moveTo(await instanceStore(pool).advanceClock(time))
        note({ action: 'clock.move', subject: 'clock', merchantId: null, after: { byMs: time, now: clock.now() } })
      })
      context.output.out(
        record([
          ['instance', instance.clock.now()],
          ['ahead_by', formatDuration(instance.clock.offsetMs)],
        ]),
      )
    },
  }),

  command({
    name: 'clock reset',
    changes: true,
    summary: 'Removes a test clock left in a live instance, which refuses to start with one.',
    details: 'A live instance never uses the test clock, so removing it makes no work due.',
    args: {},
    options: {},
    async run(context) {
      await using instance = await openInstance(context)
      if (instance.config.instanceMode !== 'live')
        throw new CommandError('The clock of a sandbox instance only moves forward.', 'Nothing was changed.')
      const moved = await instance.change(async ({ pool, note }) => {
        const reset = await instanceStore(pool).resetLiveClock()
        if (reset) note({ action: 'clock.reset', subject: 'clock', merchantId: null })
        return reset
      })
      context.output.out(moved ? 'The test clock is removed.' : 'There is no test clock to remove.')
    },
  }),
]

async function advanceSandbox({ config }: Instance, byMs: number): Promise<SandboxClock | null> {
  const url = await findSandboxUrl(config)
  if (url === null) return null
  try {
    return await moveSandboxClock(url, byMs)
  } catch (error) {
    throw new CommandError(
      `The clock of the sandbox acquirer at ${url} cannot be moved: ${networkReason(error)}`,
      'Start the service ("npm start") so that both clocks move together. Nothing was changed.',
    )
  }
}

function formatDuration(ms: number): string {
  const units = [
    ['d', dayMs],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const
  let left = Math.round(ms / 1000) * 1000
  const parts = units.map(([unit, size]) => {
    const count = Math.floor(left / size)
    left -= count * size
    return count === 0 ? '' : `${count}${unit}`
  })
  return parts.join('') || '0s'
}
