import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endRefusedStart } from './refused-start.ts'
import { StartupError } from './startup-error.ts'

test('the explanation of a refused start is the last text, after everything that stopping reports', async () => {
  const texts: string[] = []
  const write = (text: string): void => void texts.push(text)
  const stop = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve))
    write('The database connection was lost.')
  }
  await endRefusedStart(new StartupError('The root file is missing.', 'Set WALLET_A_ROOT_FILE.'), { stop, write })
  assert.deepEqual(texts, [
    'The database connection was lost.',
    '\n  The root file is missing.\n  Set WALLET_A_ROOT_FILE.\n\n',
  ])
})
