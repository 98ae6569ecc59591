/**
 * The vectors against a second implementation, written from docs/interface/signatures.md alone: it shares no code with the gateway, so
 * that a fault of the gateway's own formulas cannot hide in the file.
 */
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

type Values = Readonly<Record<string, string>>
type Parameters = { readonly [name: string]: string | Parameters }

const { requests, signed_requests, callbacks } = JSON.parse(
  readFileSync(new URL('vectors.json', import.meta.url), 'utf8'),
)

const rev = (text: string): string => Buffer.from(text, 'latin1').reverse().toString('latin1')
const up = (text: string): string => text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
const raw = (text = ''): string => Buffer.from(text).toString('latin1')

/** One row per formula of the page; texts have one character per byte. */
const bases: Readonly<Record<string, (v: Values, p: string) => string>> = {
  'card.start': (v, p) => up(rev(v['email'] ?? '') + p + rev(v['pan10'] ?? '')),
  'card.start-with-token': (v, p) => up(rev(v['email'] ?? '') + p + rev(v['card_token'] ?? '')),
  'card.follow-up': (v, p) => up(rev(v['email'] ?? '') + p + v['trans_id'] + rev(v['pan10'] ?? '')),
  'card.create-schedule': (_, p) => up(rev(p)),
  'card.schedule': (v, p) => up(rev(v['schedule_id'] + p)),
  'card.credit': (v, p) => up(p + rev(v['pan10'] ?? '')),
  'card.credit-with-token': (v, p) => up(p + rev(v['card_token'] ?? '')),
  'card.credit-follow-up': (v, p) => up(p + v['trans_id'] + rev(v['pan10'] ?? '')),
  'card.by-order': (v, p) => up(rev(v['email'] ?? '') + p + v['order_id'] + rev(v['pan10'] ?? '')),
  'card.wallet': (v, p) => up(rev(v['email'] ?? '') + p),
  'apm.start': (v, p) => up(rev((v['identifier'] ?? '') + v['order_id'] + v['order_amount'] + v['order_currency'] + p)),
  'apm.credit-void': (v, p) => up(rev(v['trans_id'] + p)),
  'apm.follow-up': (v, p) => up(rev(v['trans_id'] ?? '')) + p,
  'apm.payout': (v, p) => up(rev(`${v['order_id']}${v['order_amount']}${v['order_currency']}`)) + p,
  'apm.by-order': (v, p) => up(rev(v['order_id'] ?? '')) + p,
  'apm.payout-callback': (v, p) => up(rev(`${v['trans_id']}${v['order_id']}${v['status']}`)) + p,
  'apm.crypto-callback': (v, p) => up(rev(v['payer_email'] ?? '') + p + v['trans_id']),
  'checkout.session': (v, p) => up(inOrder(v, 'order.number order.amount order.currency order.description') + p),
  'checkout.payment': (v, p) => up(v['payment_id'] + p),
  'checkout.order': (v, p) => up(v['order_id'] + p),
  'checkout.payment-amount': (v, p) => up(inOrder(v, 'payment_id amount') + p),
  'checkout.recurring': (v, p) =>
    up(inOrder(v, 'recurring_init_trans_id recurring_token order.number order.amount order.description') + p),
  'checkout.card-credit': (v, p) => up(inOrder(v, 'order_id order_amount order_currency order_description') + p),
  'checkout.callback': (v, p) => up(inOrder(v, 'id order_number order_amount order_currency order_description') + p),
}

/** Each value with the number of its bytes; texts have one character per byte. */
const returnBase = (v: Values): string =>
  ['trans_id', 'order_id', 'order_amount', 'order_currency', 'outcome']
    .map((name) => `${(v[name] ?? '').length}:${v[name] ?? ''},`)
    .join('')

const inOrder = (values: Values, names: string): string =>
  names
    .split(' ')
    .map((name) => values[name] ?? '')
    .join('')

/** Whole numbers first, then names by their bytes; each value reversed by itself. */
function joined(parameters: Parameters): string {
  const names = Object.keys(parameters).filter((name) => name !== 'hash')
  const numbers = names.filter((name) => /^\d+$/.test(name)).toSorted((a, b) => Number(a) - Number(b))
  const others = names.filter((name) => !/^\d+$/.test(name)).toSorted((a, b) => Buffer.from(a).compare(Buffer.from(b)))
  return [...numbers, ...others]
    .map((name) => {
      const value = parameters[name] ?? ''
      return typeof value === 'string' ? rev(raw(value)) : joined(value)
    })
    .join('')
}

function valuesOf(parameters: Parameters, known: Values): Values {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(parameters)) {
    if (typeof value === 'string') flat[name] = raw(value)
    else
      for (const [member, text] of Object.entries(value))
        if (typeof text === 'string') flat[`${name}.${member}`] = raw(text)
  }
  const card = flat['card_number'] ?? flat['payer_card_number'] ?? flat['card']
  if (flat['payer_email'] !== undefined) flat['email'] = flat['payer_email']
  if (card !== undefined) flat['pan10'] = card.slice(0, 6) + card.slice(-4)
  for (const [name, value] of Object.entries(known)) flat[name] = raw(value)
  return flat
}

function baseOf(formula: string, parameters: Parameters, known: Values, password: string): string {
  if (formula === 'apm.callback') return up(joined(parameters) + raw(password))
  if (formula === 'return') return returnBase(valuesOf(parameters, known))
  const write = bases[formula] ?? assert.fail(`signatures.md has no formula ${formula}`)
  return write(valuesOf(parameters, known), raw(password))
}

function digestOf(formula: string, base: string, digest: string): string {
  const inner = createHash(digest).update(Buffer.from(base, 'latin1')).digest('hex')
  return formula.startsWith('checkout.') ? createHash('sha1').update(inner).digest('hex') : inner
}

function returnHash(base: string, password: string): string {
  const key = createHmac('sha256', password).update('payer return').digest()
  return createHmac('sha256', key).update(Buffer.from(base, 'latin1')).digest('hex')
}

test('a second implementation computes the base and the hash of every request', () => {
  assert.ok(requests.length >= 100)
  for (const { title, formula, parameters, known, password, digest, upper_casing, base, hash } of requests) {
    const ascii = baseOf(formula, parameters, known, password)
    const expected =
      upper_casing === 'unicode' ? raw(Buffer.from(ascii, 'latin1').toString('utf8').toUpperCase()) : ascii
    const parts: readonly { readonly hex: string }[] = base
    assert.equal(parts.map(({ hex }) => hex).join(''), Buffer.from(expected, 'latin1').toString('hex'), title)
    assert.equal(
      formula === 'return' ? returnHash(expected, password) : digestOf(formula, expected, digest),
      hash,
      title,
    )
  }
})

test('a second implementation signs the same requests as a whole', () => {
  assert.equal(signed_requests.length, 8)
  for (const one of signed_requests) {
    const { title, method, path, token, idempotency_key, body, password, id, timestamp, base, headers } = one
    const text = `${id}.${timestamp}.${[`${method} ${path}`, token, idempotency_key, body].join('\n')}`
    assert.equal(Buffer.from(text).toString('hex'), base, title)
    const key = createHmac('sha256', password).update('request').digest()
    assert.deepEqual(
      headers,
      {
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${createHmac('sha256', key).update(text).digest('base64')}`,
      },
      title,
    )
  }
})

test('a second implementation accepts and refuses the same callbacks, by both schemes', () => {
  assert.ok(callbacks.length >= 35)
  for (const { title, formula, headers, body, known, receiver, now, expected } of callbacks) {
    const fields: Parameters = headers['content-type'] === 'application/json' ? JSON.parse(body) : readForm(body)
    const secrets: readonly string[] = receiver.secrets
    const passwords: readonly string[] = receiver.passwords
    const hash = typeof fields['hash'] === 'string' ? fields['hash'].toLowerCase() : ''
    const isGood = passwords.some(
      (password) => digestOf(formula, baseOf(formula, fields, known, password), receiver.digest) === hash,
    )
    assert.equal(isGood, expected.hash, `${title}: hash`)
    assert.equal(isSigned(headers, body, secrets, now), expected.signature, `${title}: signature`)
  }
})

function isSigned(headers: Values, body: string, secrets: readonly string[], now: number): boolean {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name],
  )
  if (id === undefined || timestamp === undefined || signature === undefined) return false
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > 300) return false
  return secrets.some((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    return signature.split(' ').includes(`v1,${mac}`)
  })
}

/** `a[b]=c` nests, as in PHP. */
function readForm(body: string): Parameters {
  const tree: Record<string, string | Parameters> = {}
  for (const [path, value] of new URLSearchParams(body)) {
    const [, name = '', member] = /^([^[]+)(?:\[([^\]]+)\])?$/.exec(path) ?? assert.fail(path)
    const inner = tree[name]
    tree[name] = member === undefined ? value : { ...(typeof inner === 'object' ? inner : {}), [member]: value }
  }
  return tree
}
