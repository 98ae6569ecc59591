/**
 * Texts that a database cannot store, inside a genuine token: half of a surrogate pair, and the null character. JSON can contain both as
 * escapes. No case may end in 5xx (chapter 40 §19.2): a label outside the signature is dropped, signed content with such a text is refused.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Wallet } from '#domain/mid.ts'
import { isFullRun } from '../../../../tools/testing/full-run.ts'
import { Apm } from '../../apm.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { type Answer, openShop } from '../../shop.ts'
import { enableWallet, type MintOptions, type WalletDevice } from '../../wallets/wallet-device.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const apm = new Apm(shop)

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }
type Path = readonly (string | number)[]

const protocols = {
  's2s-card': (device: WalletDevice, token: string): Promise<Answer> => device.sale(token),
  's2s-apm': (device: WalletDevice, token: string): Promise<Answer> =>
    apm.sale({ brand: device.wallet, identifier: 'jane', 'parameters[paymentToken]': token }, device.as),
  page: async (device: WalletDevice, wallet_token: string): Promise<Answer> => {
    // Attempts are counted per address, and all of these come from one.
    await shop.base.pool.query('delete from page_attempts')
    const payer = await Payer.at(shop, { methods: [device.wallet] }, device.as)
    return payer.pay({ method: device.wallet, card: undefined, wallet_token, customer: {} })
  },
}

const ill = { 'half a pair': '\ud800', 'the other half': 'Visa \udfff', zero: 'Visa\u0000' }

const labels: Readonly<Record<Wallet, readonly Path[]>> = {
  walletapay: [
    ['paymentMethod', 'displayName'],
    ['paymentMethod', 'network'],
  ],
  walletbpay: [
    ['paymentMethodData', 'description'],
    ['paymentMethodData', 'info', 'cardNetwork'],
  ],
}

function replaceText(json: Json, [name, ...inner]: Path, text: string): Json {
  if (name === undefined) return text
  if (Array.isArray(json)) return json.map((one, at) => (at === name ? replaceText(one, inner, text) : one))
  assert.ok(typeof json === 'object' && json !== null)
  return { ...json, [name]: replaceText(json[name] ?? {}, inner, text) }
}

function textsIn(json: Json, at: Path = []): readonly Path[] {
  if (typeof json === 'string') return [at]
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([name, inner]) =>
    textsIn(inner, [...at, Array.isArray(json) ? Number(name) : name]),
  )
}

/** Every UTF-16 unit, alone or in any order, so halves of pairs, control characters and zero as well. */
const anyUnit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code))
const tokenBytes = 32 * 1024
const anyText = fc.oneof(
  fc.string({ unit: anyUnit, maxLength: 70 }),
  fc.string({ unit: anyUnit, minLength: 1, maxLength: 3 }),
  fc.tuple(anyUnit, fc.integer({ min: 60, max: tokenBytes + 1000 })).map(([unit, length]) => unit.repeat(length)),
)

/** The simulator signs an indicator of up to eight characters in one line. */
const signable = (text: string): string => text.replace(/[\n\r\u2028\u2029]/g, '').slice(0, 8)

const hasSucceeded = ({ body }: Answer): boolean => ['SUCCESS', 'success'].includes(body?.result)

const noCardFlow = 250002

for (const wallet of ['walletapay', 'walletbpay'] as const) {
  for (const flow of ['card', 'virtual'] as const) {
    const enable = (): Promise<WalletDevice> =>
      enableWallet(shop, { wallet, ...(flow === 'virtual' ? { key: null } : {}) })

    for (const [protocol, pay] of Object.entries(protocols)) {
      test(`${wallet}, ${flow} flow, ${protocol}: an ill-formed label does not prevent a genuine token from paying`, async () => {
        const device = await enable()
        for (const text of Object.values(ill)) {
          for (const path of labels[wallet]) {
            const token = JSON.stringify(replaceText(JSON.parse(await device.mint()), path, text))
            const answer = await pay(device, token)
            if (flow === 'virtual' && protocol === 's2s-card') assert.equal(answer.body?.error_code, noCardFlow)
            else assert.ok(hasSucceeded(answer), `${path.join('.')}: ${answer.text}`)
          }
        }
      })

      test(`${wallet}, ${flow} flow, ${protocol}: no ill-formed text in a token ends in 5xx`, async () => {
        const device = await enable()
        // Half a pair at every place; the other texts are tried by the labels, and everywhere in a full run.
        for (const text of isFullRun ? Object.values(ill) : [ill['half a pair']]) {
          const minted: Json = JSON.parse(await device.mint())
          for (const path of textsIn(minted)) {
            const answer = await pay(device, JSON.stringify(replaceText(minted, path, text)))
            assert.ok(answer.http < 500, `${path.join('.')}: ${answer.text}`)
          }
        }
      })
    }
  }

  test(`${wallet}: whatever a text of a token holds, and however long it is, no payment ends in 5xx`, async () => {
    const device = await enableWallet(shop, { wallet })
    const places = [...labels[wallet], null]
    const property = fc.asyncProperty(anyText, fc.constantFrom(...places), async (text, place) => {
      const token =
        place === null
          ? await device.mint({ eci: signable(text) })
          : JSON.stringify(replaceText(JSON.parse(await device.mint()), place, text))
      const { http, text: answer } = await device.sale(token)
      assert.ok(http < 500, answer)
      // A label is dropped if it cannot be stored; only a token that is too long is no token any more.
      if (place !== null && token.length < tokenBytes / 3) assert.equal(http, 200, answer)
    })
    await fc.assert(property, { numRuns: 30 })
  })

  const signed: readonly MintOptions[] = [...Object.values(ill), '0\u0000'].map((eci) => ({ eci }))
  for (const [protocol, pay] of Object.entries(protocols)) {
    test(`${wallet}, ${protocol}: signed content with an ill-formed text is refused`, async () => {
      const device = await enableWallet(shop, { wallet })
      for (const wishes of signed) {
        const { http, body, text } = await pay(device, await device.mint(wishes))
        assert.deepEqual([http, body?.error_code], [400, 250003], text)
      }
    })
  }
}
