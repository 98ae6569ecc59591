/** An operator's brand as JSON: chapter 20 §5.1 and §5.2, field by field. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Brand, brandNamed } from './brand.ts'
import { changeFaults, nameFaults } from './brand-consistency.ts'
import { readBrand, writtenBrand } from './brand-record.ts'
import { builtInBrands } from './built-in-brands.ts'

const least = {
  code: 'town-pay',
  title: 'Town Pay',
  kind: 'direct',
  actions: ['SALE', 'CREDITVOID'],
  connectors: ['sandbox'],
  currencies: ['EUR'],
  expires_after: 900,
}
const named = (code: string): Brand => brandNamed(builtInBrands, code) ?? assert.fail(code)

function read(change: Readonly<Record<string, unknown>> = {}): Brand {
  const reading = readBrand({ ...least, ...change })
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.brand
}

function said(change: Readonly<Record<string, unknown>>): readonly string[] {
  const reading = readBrand({ ...least, ...change })
  return reading.ok ? [] : reading.faults.map(({ field, text }) => `${field}: ${text}`)
}

describe('a brand of the operator', () => {
  test('says little and gets the defaults of the chapter', () => {
    const brand = read()
    assert.deepEqual(brand.title, { en: 'Town Pay' })
    assert.deepEqual([brand.identifier, brand.twoStage, brand.refund, brand.cascade], ['required', 'no', 'none', false])
    assert.deepEqual([brand.checkoutName, brand.countries, brand.pageMode], ['town-pay', ['*'], 'hidden'])
    assert.deepEqual([brand.builtIn, brand.enabled, brand.testOnly, brand.version], [false, true, false, 1])
    assert.deepEqual([brand.sandboxBehaviour, brand.waiting], ['direct', 'prepare'])
  })
  test('of kind crypto needs no identifier and waits in PENDING', () => {
    const brand = read({ kind: 'crypto', currencies: ['*', 'BTC'], amount_optional: true, crypto_networks: ['ERC20'] })
    assert.deepEqual([brand.identifier, brand.waiting, brand.amountOptional], ['optional', 'pending', true])
  })
  test('may write * for a list', () => {
    assert.deepEqual([read({ currencies: '*' }).currencies, read({ countries: '*' }).countries], [['*'], ['*']])
  })
  test('that can not be set is not read: what the service sets and derives', () => {
    const brand = read({
      built_in: true,
      version: 9,
      changed_by: 'x',
      changed_at: 'y',
      terms_checkbox: true,
      document_brand: 'z',
    })
    assert.deepEqual([brand.builtIn, brand.version], [false, 1])
  })
  for (const brand of builtInBrands) {
    test(`${brand.code} reads back as it was written`, () => {
      const reading = readBrand(JSON.parse(JSON.stringify(writtenBrand(brand))))
      assert.deepEqual(reading, { ok: true, brand: { ...brand, builtIn: false } })
    })
  }
})

describe('faults', () => {
  const codes = '1 to 36 lowercase letters, digits, hyphens and underscores'
  const logo = 'Must be an SVG of up to 32 KiB without scripts, animations and references outside itself.'
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
    // change                                                          faults
    [{ code: undefined },                                              ['code: Must be given.']],
    [{ code: 'Town' },                                                 [`code: Must be ${codes}.`]],
    [{ code: '-town' },                                                [`code: Must be ${codes}.`]],
    [{ code: 'a'.repeat(37) },                                         [`code: Must be ${codes}.`]],
    [{ aliases: ['a b'] },                                             ['aliases[0]: Must be 1 to 36 characters without blanks.']],
    [{ aliases: ['x', 'x'] },                                          ['aliases: Must be a list without repeats.']],
    [{ aliases: ['town-pay'] },                                        ['aliases: Must not contain the code itself.']],
    [{ title: { de: 'Stadt' } },                                       ['title: Must have an English text (en).']],
    [{ title: 7 },                                                     ['title: Must be a text, or an object of texts by language.']],
    [{ kind: 'card' },                                                 ['kind: Must be one of direct, redirect, crypto, voucher, wallet, debit, payout.']],
    [{ enabled: 'yes' },                                               ['enabled: Must be true or false.']],
    [{ actions: [] },                                                  ['actions: Must name at least one action.']],
    [{ actions: ['SALE', 'SALE'] },                                    ['actions: Must be a list without repeats.']],
    [{ currencies: [] },                                               ['currencies: Must name at least one currency.']],
    [{ countries: [] },                                                ['countries: Must name at least one country.']],
    [{ actions: ['CREDIT2CRYPTO'] },                                   ['actions: CREDIT2CRYPTO belongs to the kind crypto.']],
    [{ connectors: [] },                                               ['connectors: Must name at least one connector.']],
    [{ currencies: ['eur'] },                                          ['currencies[0]: Must be a currency of ISO 4217 or of the crypto currency table, or *.']],
    [{ countries: ['XX'] },                                            ['countries[0]: Must be an ISO 3166-1 code, or *.']],
    [{ amount_limits: { EUR: { min: '1.001' } } },                     ['amount_limits.EUR.min: Must be an amount of EUR, such as 10.']],
    [{ amount_limits: { EUR: { min: '2', max: '1' } } },               ['amount_limits.EUR.min: Must not be above max.']],
    [{ amount_limits: { ZZZ: { max: '1' } } },                         ['amount_limits.ZZZ.max: Must be an amount of ZZZ, such as 10.']],
    [{ amount_limits: { EUR: { low: '1' } } },                         ['amount_limits.EUR.low: Is not a field.']],
    [{ amount_optional: true },                                        ['amount_optional: Belongs to the kind crypto.']],
    [{ crypto_networks: ['ERC20'] },                                   ['crypto_networks: Belongs to the kind crypto.']],
    [{ payer_required: { SALE: ['email'] } },                          ['payer_required.SALE[0]: Must be a payer field such as payer_email.']],
    [{ payer_required: { VOID: ['payer_email'] } },                    ['parameters: Must not name actions that the brand does not offer: VOID.']],
    [{ two_stage: 'by_connector' },                                    ['two_stage: Needs the action CAPTURE.']],
    [{ partial_capture: true },                                        ['partial_capture: Belongs to a two-stage brand.']],
    [{ void: true },                                                   ['void: Needs the action VOID.']],
    [{ actions: ['SALE'], refund: 'full' },                            ['refund: Needs the action CREDITVOID.']],
    [{ expires_after: 59 },                                            ['expires_after: Must be a whole number from 60 to 7776000.']],
    [{ expires_after: 7_776_001 },                                     ['expires_after: Must be a whole number from 60 to 7776000.']],
    [{ kind: 'redirect', cascade: true },                              ['cascade: Belongs to the kinds direct and wallet.']],
    [{ kind: 'wallet', page_mode: 'own_form' },                        ['page_mode: A wallet has a button and no form.']],
    [{ sandbox_behaviour: 'magic' },                                   ['sandbox_behaviour: Must be one of direct, approval, redirect, crypto, voucher, wallet, debit, payout.']],
    [{ colour: 'red' },                                                ['colour: Is not a field.']],
    [{ logo: '<svg onload="x()"></svg>' },                             [`logo: ${logo}`]],
    [{ logo: '<svg><script>x()</script></svg>' },                      [`logo: ${logo}`]],
    [{ logo: '<svg><image href="https://example.com/x"/></svg>' },     [`logo: ${logo}`]],
    [{ logo: `<svg>${'a'.repeat(32 * 1024)}</svg>` },                  [`logo: ${logo}`]],
    [{ logo: '<svg><use href="#a"/><path d="M0 0"/></svg>' },          []],
    [{ code: 'X', kind: 'x', expires_after: 0 },                       [`code: Must be ${codes}.`, 'kind: Must be one of direct, redirect, crypto, voucher, wallet, debit, payout.', 'expires_after: Must be a whole number from 60 to 7776000.']],
  ]
  for (const [change, expected] of rows)
    test(JSON.stringify(change).slice(0, 80), () => assert.deepEqual(said(change), expected))

  test('what is no object is no brand', () => {
    for (const value of [null, [], 'brand', 7])
      assert.deepEqual(readBrand(value), { ok: false, faults: [{ field: 'brand', text: 'Must be an object.' }] })
  })
})

describe('faults of parameter rows', () => {
  const plain = { name: 'value', type: 'string', need: 'optional' }
  const at = (member: string, text: string): readonly string[] => [`parameters.SALE[0].${member}: ${text}`]
  // biome-ignore format: a table is read in columns.
  const rows: readonly (readonly [Readonly<Record<string, unknown>>, readonly string[]])[] = [
    // change                                       faults
    [{},                                            []],
    [{ name: 'a b' },                               at('name', 'Must be 1 to 64 letters, digits and underscores.')],
    [{ type: undefined },                           at('type', 'Must be given.')],
    [{ need: 'maybe' },                             at('need', 'Must be one of required, conditional, optional.')],
    [{ min: 3, max: 2 },                            at('min', 'Must not be above max.')],
    [{ min: 1.5 },                                  at('min', 'Bounds of this type must be whole numbers.')],
    [{ type: 'amount', min: 1.5 },                  []],
    [{ pattern: '(a+)+' },                          at('pattern', 'The pattern must not repeat a group.')],
    [{ type: 'enum' },                              at('values', 'Must list the choices of an enum.')],
    [{ values: ['a'] },                             at('values', 'Belongs to the type enum.')],
    [{ need: 'conditional' },                       at('when', 'Must say when a conditional parameter is required.')],
    [{ when: [{ field: 'order_currency', op: 'in', values: ['EUR'] }] }, at('when', 'Belongs to a conditional parameter.')],
    [{ need: 'conditional', when: [{ field: 'other', op: 'present' }] }, at('when[0].field', 'Must be order_currency, payer_country, order_amount or another parameter.')],
    [{ need: 'conditional', when: [{ field: 'order_amount', op: 'like', values: [] }] }, at('when[0].op', 'Must be one of in, not_in, present, absent, greater.')],
    [{ need: 'conditional', when: [{ field: 'order_amount', op: 'greater' }] }, at('when[0].values', 'Must be given.')],
    [{ type: 'list' },                              at('rows', 'Must list the members.')],
    [{ type: 'list', rows: [plain] },               []],
    [{ type: 'list', rows: [{ ...plain, name: '' }] }, at('rows[0].name', 'Must be 1 to 64 letters, digits and underscores.')],
    [{ rows: [plain] },                             at('rows', 'Belongs to the types object and list.')],
    [{ type: 'digits', default: 'x' },              at('default', 'Does not fit the row itself.')],
    [{ secret: true, default: 'x' },                at('default', 'A secret has no default.')],
    [{ help: 'x' },                                 at('help', 'Is not a field.')],
  ]
  for (const [change, expected] of rows) {
    test(JSON.stringify(change), () => {
      assert.deepEqual(said({ parameters: { SALE: [{ ...plain, ...change }] } }), expected)
    })
  }
  test('a name stands once in a schema', () => {
    assert.deepEqual(said({ parameters: { SALE: [plain, plain] } }), ['parameters.SALE[1].name: Is listed twice.'])
  })
  test('rows nest three deep at most', () => {
    const deep = (levels: number): unknown =>
      levels === 1 ? plain : { name: 'list', type: 'list', need: 'optional', rows: [deep(levels - 1)] }
    assert.deepEqual(said({ parameters: { SALE: [deep(3)] } }), [])
    assert.notDeepEqual(said({ parameters: { SALE: [deep(4)] } }), [])
  })
})

describe('a brand among others', () => {
  test('codes and aliases are names of one brand only', () => {
    const brand = { ...read(), aliases: ['vcard', 'new-name'] }
    assert.deepEqual(nameFaults(brand, builtInBrands), [
      { field: 'aliases', text: 'vcard is already a name of the brand vcard.' },
    ])
    assert.deepEqual(
      nameFaults(read({ code: 'walletapay' }), builtInBrands).map(({ field }) => field),
      ['code'],
    )
    assert.deepEqual(nameFaults(read(), builtInBrands), [])
  })
  test('code, kind and actions of a built-in brand are fixed, the rest may change', () => {
    const before = named('vcard')
    const fields = (after: Brand) => changeFaults(before, after, { hasPayments: false }).map(({ field }) => field)
    assert.deepEqual(fields({ ...before, code: 'x', kind: 'redirect', actions: ['SALE'] }), ['code', 'kind', 'actions'])
    assert.deepEqual(fields({ ...before, enabled: false, refund: 'none', actions: before.actions.toReversed() }), [])
  })
  test('the code of a brand can not change once payments were made with it', () => {
    const before = read()
    const after = { ...before, code: 'other', kind: 'redirect' } as const
    assert.deepEqual(changeFaults(before, after, { hasPayments: false }), [])
    assert.deepEqual(
      changeFaults(before, after, { hasPayments: true }).map(({ field }) => field),
      ['code'],
    )
  })
})
