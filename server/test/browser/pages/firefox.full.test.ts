/**
 * The payer's stories once more, in Firefox; each file is run as it is. What Firefox's driver cannot do is left out, with its reason.
 * Chapter 30 §7, chapter 40 §17.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runBatch } from '../../../../tools/testing/test-batch.ts'
import { skipsFirefox } from '../../pages/firefox.ts'

const frames = 'it does not reach frames after they have loaded another page'
const keys = 'its keys do not reach frames of another origin'
const routes = 'it cannot break off a request'
const scripts = 'it cannot switch scripts off'
const permissions = 'Firefox has no permission of frames for payments'

/** A file, and the beginnings of titles that are left out. */
const stories: readonly (readonly [file: string, except: Readonly<Record<string, string>>])[] = [
  ['checkout-payment', { 'in a frame that the payment has to leave': frames }],
  [
    'pay-session',
    {
      'inside a frame that must be left': frames,
      'after a lost answer the attempt is sent again': routes,
      'can be used with the keyboard alone': keys,
    },
  ],
  [
    'payer-journey',
    {
      'two returns at the same moment': routes,
      'without scripts everything works': scripts,
      'inside a frame': frames,
      'in Arabic the pages': frames,
      'Override Link Target': frames,
    },
  ],
  [
    'hosted-fields',
    {
      'input reports validity': keys,
      'a failed collection leaves nothing': keys,
      'the number is grouped': keys,
      'the fields are reached and filled': keys,
      'Enter ': keys,
      'the focus is visible by default': keys,
      'the page and the server of the documentation': keys,
    },
  ],
  ['pay-session-wallets', {}],
  ['checkout-wallets', { 'in a frame that does not allow payment': permissions }],
]

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const withinMs = 600_000

describe('in Firefox', { skip: skipsFirefox() }, () => {
  for (const [name, except] of stories) {
    test(`${name}, without ${Object.keys(except).length} titles`, async () => {
      const skips = Object.keys(except).map((title) => `--test-skip-pattern=^${title}`)
      const { ok, said } = await runBatch(
        { files: [`server/test/browser/pages/${name}.test.ts`], waits: false },
        {
          cwd: root,
          env: { ...process.env, GATEHOUSE_TEST_BROWSER: 'firefox' },
          flags: [`--test-timeout=${withinMs}`, ...skips],
          withinMs,
          isHosted: false,
        },
      )
      assert.ok(ok, said)
    })
  }
})
