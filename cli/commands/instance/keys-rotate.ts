/**
 * Rotates keys while the service runs. With a key file, running processes read the file again when they meet an unknown key. With the keys
 * in the environment they cannot, so the operator first gives the new key to all processes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '#server/store/database/pool.ts'
import { dataKeyRows } from '#server/store/instance/data-keys.ts'
import { sealedValues } from '#server/store/instance/sealed-values.ts'
import { addKey } from '#server/vault/key-ring.ts'
import { type ResealReport, resealValues, rewrapDataKeys } from '#server/vault/rotate.ts'
import { KEY_REFRESH_MS } from '#server/vault/vault.ts'
import { command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { readRing } from '../../kit/configured-ring.ts'
import type { CommandContext } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { flag, toggle } from '../../kit/options.ts'

export const rotateKeys = command({
  name: 'keys rotate',
  changes: true,
  summary: 'Creates a new key-encryption key and re-encrypts the data keys with it. The service can keep running.',
  details:
    'Every data key is re-encrypted, which takes a moment. --reseal also replaces the data keys and re-encrypts every card\n' +
    'number and secret; it then waits until all running processes use the new keys, and repeats until no old value is left. Both\n' +
    'can be interrupted and run again. With GATEHOUSE_KEYS or GATEHOUSE_KEY_COMMAND no key is created: add one there, make it current, restart\n' +
    'every process, then run this command.',
  args: {},
  options: {
    reseal: flag('Also replaces the data keys and re-encrypts all values.'),
    wait: toggle('With --reseal: waits for running processes and repeats (default).'),
  },
  async run(context, _args, { reseal, wait = true }) {
    await using instance = await openInstance(context)
    const entry = { action: 'keys.rotate', subject: 'keys', merchantId: null, after: { reseal: reseal ?? false } }
    return await instance.changeInSteps(entry, (pool) =>
      rotate(context, instance, pool, { reseal: reseal ?? false, wait }),
    )
  },
})

interface RotationOptions {
  readonly reseal: boolean
  readonly wait: boolean
}

/** Returns the exit code. */
async function rotate(
  context: CommandContext,
  instance: Instance,
  pool: Pool,
  { reseal, wait }: RotationOptions,
): Promise<number> {
  const { config } = instance
  if (config.keys === null && config.keyCommand === null)
    context.output.out(`The key ${await addKey(config.keyFile ?? '')} is current.`)
  const keys = dataKeyRows(pool)
  const ring = await readRing(config)
  const say = throttleOutput(context)
  const { scopes, rewrapped } = await rewrapDataKeys({
    ring,
    keys,
    onProgress: (soFar) => say(`${soFar.scopes} scopes …`),
  })
  context.output.out(`${rewrapped} data keys of ${scopes} scopes were re-encrypted.`)

  const unreadable = reseal ? await resealAll(context, instance, pool, wait) : 0
  const unused = await findUnusedKeys(instance)
  if (unused.length > 0) context.output.err(`No longer needed, except to read older backups: ${unused.join(', ')}.`)
  return unreadable > 0 ? 1 : 0
}

/** Returns the number of values that could not be decrypted. */
async function resealAll(context: CommandContext, instance: Instance, pool: Pool, wait: boolean): Promise<number> {
  const now = instance.clock.now()
  const pass = async () => {
    const say = throttleOutput(context)
    const report = await resealValues({
      ring: await readRing(instance.config),
      keys: dataKeyRows(pool),
      columns: sealedValues(pool),
      now,
      createdBefore: now,
      onProgress: (soFar) => say(`${soFar.scopes} scopes, ${soFar.resealed} values …`),
      onUnreadable: ({ column, key }) =>
        context.output.err(`${column} of ${key} cannot be decrypted; it was left unchanged.`),
    })
    context.output.out(summary(report))
    return report
  }

  let report = await pass()
  while (wait && report.resealed + report.changedMeanwhile > 0) {
    context.output.err(`Waiting ${KEY_REFRESH_MS / 1000} s until running processes use the new keys …`)
    await sleep(KEY_REFRESH_MS, undefined, { signal: context.signal }).catch(throwEndedEarly)
    report = await pass()
  }
  return report.unreadable
}

function throwEndedEarly(): never {
  throw new CommandError(
    'Stopped before all running processes used the new keys; some values may still be encrypted with the old keys.',
    'Run "gatehouse keys rotate --reseal" again and let it finish.',
  )
}

const summary = ({ scopes, newKeys, resealed, unreadable }: ResealReport): string =>
  `${newKeys} new data keys; ${resealed} values of ${scopes} scopes were re-encrypted${unreadable > 0 ? `, ${unreadable} could not be decrypted` : ''}.`

async function findUnusedKeys({ pool, config }: Instance): Promise<readonly string[]> {
  const ring = await readRing(config)
  const counts = await dataKeyRows(pool).countByKek()
  return [...ring.keys.keys()].filter((id) => id !== ring.current && !counts.has(id))
}

const outputIntervalMs = 1000

/** Shows progress, at most one line per second. */
function throttleOutput({ output }: CommandContext): (line: string) => void {
  let last = performance.now()
  return (line) => {
    if (performance.now() - last < outputIntervalMs) return
    last = performance.now()
    output.err(line)
  }
}
