import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type KeeperLimits, keepHelper, usualLimits } from './keeper.ts'
import { planLaunch } from './launch.ts'
import { HelperFault, type Transformer } from './transformer.ts'

const program = fileURLToPath(new URL('../testing/echo-helper.ts', import.meta.url))
const opened: Transformer[] = []
after(() => {
  for (const keeper of opened) keeper.close()
})

/** Counts its starts. */
function keep(limits: Partial<KeeperLimits> = {}, kind = 'usual') {
  let starts = 0
  const launch = { command: process.execPath, args: [program, kind], isIsolated: false }
  const keeper = keepHelper(
    async () => {
      starts += 1
      return launch
    },
    { ...usualLimits, ...limits },
  )
  opened.push(keeper)
  const say = async (what: string): Promise<string> => {
    const result = await keeper.build({ flow: 'authorize', mode: 'test', config: {}, request: { say: what } })
    return result.kind === 'done' ? result.value.url : assert.fail('refused')
  }
  return { keeper, say, starts: () => starts }
}

const rejects = (promise: Promise<unknown>, text: RegExp) =>
  assert.rejects(promise, (fault) => fault instanceof HelperFault && text.test(fault.message))

test('it starts on demand, once, and serves everyone', async () => {
  const { say, starts } = keep()
  assert.equal(starts(), 0)
  const [one, two] = await Promise.all([say('hello'), say('hello')])
  assert.equal(one, two)
  assert.equal(starts(), 1)
})

test('when it dies, requests in progress are told, and the next one is served by a new process', async () => {
  const { say, starts } = keep()
  const before = await say('hello')
  await Promise.all([rejects(say('die'), /ended/), rejects(say('hello'), /ended/)])
  assert.notEqual(await say('hello'), before)
  assert.equal(starts(), 2)
})

test('a helper that keeps silent or talks nonsense is ended', async () => {
  const { say } = keep({ answerMs: 1500 })
  await say('hello')
  await rejects(say('silence'), /in time/)
  await say('hello')
  await rejects(say('nonsense'), /ended/)
  await say('hello')
})

test('one that does not start is not tried again at once', async () => {
  const { say, starts } = keep({ pauseMs: () => 60_000 }, 'broken')
  await rejects(say('hello'), /ended/)
  await rejects(say('hello'), /tried again shortly/)
  assert.equal(starts(), 1)
})

test('more requests than may wait are refused', async () => {
  const { say } = keep({ waiting: 1 })
  const first = say('hello')
  await rejects(say('hello'), /Too many/)
  await first
})

test('one that has grown too large is replaced, and loses no request', async () => {
  const { say, starts } = keep()
  const [large, beside] = await Promise.all([say('grow'), say('hello')])
  assert.equal(large, beside)
  assert.notEqual(await say('hello'), large)
  assert.equal(starts(), 2)
})

test('nothing is asked of a closed one', async () => {
  const { keeper, say } = keep()
  keeper.close()
  await rejects(say('hello'), /stopped/)
})

test('it is started without core dumps, and under the loader that the operator names', async () => {
  const { command, args } = await planLaunch({ folder: '/data/connectors/prism', loader: '/opt/glibc/ld.so' })
  const line = [command, ...args].join(' ')
  assert.match(line, /^\/bin\/sh -c ulimit -c 0; exec "\$@" sh /)
  assert.match(line, /\/opt\/glibc\/ld\.so --library-path \/opt\/glibc .*program\.ts \/data\/connectors\/prism$/)
})
