import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../tools/command-line.ts'
import { readArguments } from './arguments.ts'
import { campaigns } from './list.ts'

const chosen = (...args: readonly string[]) =>
  readArguments(args, campaigns).campaigns.map(({ name, standIns }) => [name, standIns])

test('--acquirer runs a campaign over the named stand-ins, in its own sizes', () => {
  assert.deepEqual(chosen('races', '--acquirer', 'stripe,adyen'), [['races', ['stripe', 'adyen']]])
  const [races] = readArguments(['races', '--acquirer', 'all'], campaigns).campaigns
  assert.deepEqual([races?.standIns?.length, races?.sizes['sessions']], [6, 0])
})

test('--acquirer without a name of a campaign takes those that have such a form', () =>
  assert.deepEqual(
    chosen('--acquirer', 'adyen').map(([name]) => name),
    ['crash-load', 'races', 'lost-reply', 'wallet-negative'],
  ))

test('--from names the release of an upgrade, and is refused where nothing is upgraded', () => {
  assert.equal(readArguments(['upgrade', '--from=v0.1.0'], campaigns).from, 'v0.1.0')
  assert.equal(readArguments(['upgrade'], campaigns).from, undefined)
  const refused = (args: readonly string[], message: string): void =>
    assert.throws(() => readArguments(args, campaigns), new UsageError(message))
  refused(['ledger', '--from=v0.1.0'], 'ledger does not take --from.')
  refused(['ledger', 'races', '--from=v0.1.0'], 'None of these takes --from.')
  refused(['upgrade', '--prove', '--from=v0.1.0'], '--prove does not take --from.')
})

test('an unknown acquirer, or a campaign that runs over the sandbox alone, is refused', () => {
  assert.throws(
    () => chosen('races', '--acquirer', 'nobody'),
    new UsageError('There is no stand-in for the acquirer "nobody".'),
  )
  assert.throws(() => chosen('ledger', '--acquirer', 'adyen'), new UsageError('ledger does not take --acquirer.'))
})
