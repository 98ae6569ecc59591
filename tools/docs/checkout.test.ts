/** The page of Checkout has every member of every endpoint, and every parameter of callbacks. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { defaultMapping } from '#domain/mapping.ts'
import { kinds } from '#domain/payment/payment.ts'
import { fullFacts } from '#domain/payment/testing/example-facts.ts'
import { checkoutCallbackFields } from '#server/protocols/checkout/callback.ts'
import { endpoints } from '#server/protocols/checkout/index.ts'
import { root } from '../tidy/source-files.ts'

const page = readFileSync(`${root}docs/interface/checkout.md`, 'utf8')
const sectionOf = (name: string): string => new RegExp(`^### ${name}\\n([\\s\\S]*?)(?=^##)`, 'm').exec(page)?.[1] ?? ''

for (const { name, params } of endpoints) {
  test(`${name} has a section with a row for each of its members`, () => {
    for (const [member, { words }] of Object.entries(params)) {
      assert.ok(sectionOf(name).includes(`| \`${member}\` |`), member)
      for (const part of Object.keys(words.parts ?? {}))
        assert.ok(sectionOf(name).includes(`| \`${member}.${part}\` |`), `${member}.${part}`)
    }
  })
}

test('every parameter of a callback is documented', () => {
  const [, section = ''] = page.split('## Callbacks')
  const mapping = { ...defaultMapping('CHECKOUT'), merchantId: '' }
  const transaction = { id: 'one', state: 'success', amountMinor: 1n, at: new Date(0), creditvoidId: null } as const
  const told = kinds.flatMap((kind) =>
    (['success', 'fail'] as const).flatMap((state) =>
      Object.keys(
        checkoutCallbackFields(
          { ...fullFacts, protocol: 'CHECKOUT', kind, transaction: { ...transaction, type: 'SALE', state } },
          mapping,
          { password: 'any', digest: 'md5' },
        ),
      ),
    ),
  )
  assert.ok(told.length > 60)
  for (const name of new Set(told)) assert.ok(section.includes(`\`${name}\``), name)
})
