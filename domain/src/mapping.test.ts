/** Chapter 50 §2: the options of a protocol mapping, their protocols and defaults. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { limits } from './limits.ts'
import { defaultMapping, mappingOptions, parseMappingOptions, payerFieldsByMapping } from './mapping.ts'
import { type Protocol, protocols } from './merchant.ts'

const parse = (protocol: Protocol, options: unknown) => parseMappingOptions({ merchantId: 'm', protocol, options })

test('without a choice every option has the default of chapter 50 §2', () => {
  for (const protocol of protocols)
    assert.deepEqual(defaultMapping(protocol), {
      protocol,
      enabled: true,
      digest: 'md5',
      hashUpperCasing: 'ascii',
      addToCallback: [],
      addToStatus: [],
      addToRedirect: [],
      requiredPayerFields: [],
      defaultLanguage: 'en',
      terms: { enabled: false, url: null },
      maxDeclines: 3,
      declinesPerAddress: 30,
      redirectMode: 'standard',
      cascadingContext: false,
      rejectDuplicateOrders: false,
      callbackFormat: 'form',
      callbackRetrySeconds: null,
      pinScripts: true,
      embeddingOrigins: [],
      extendedDataKeys: [],
      ownHost: false,
      sessionUpdate: 'listed-or-signed',
      requestSignature: 'hash',
      returnSignature: 'own',
      payouts: false,
    })
})

test('an option belongs to the protocols of chapter 50 §2', () => {
  // biome-ignore format: a table is read in columns.
  const expected: Readonly<Record<keyof typeof mappingOptions, readonly Protocol[]>> = {
    digest:                ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
    hashUpperCasing:       ['CHECKOUT'],
    returnSignature:       ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
    payouts:               ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
    addToCallback:         ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
    extendedDataKeys:      ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
    addToStatus:           ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
    addToRedirect:         ['S2S_APM', 'CHECKOUT'],
    requiredPayerFields:   ['S2S_CARD', 'CHECKOUT'],
    defaultLanguage:       ['CHECKOUT'],
    terms:                 ['CHECKOUT'],
    maxDeclines:           ['CHECKOUT'],
    declinesPerAddress:    ['CHECKOUT'],
    redirectMode:          ['S2S_CARD', 'S2S_APM'],
    cascadingContext:      ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
    rejectDuplicateOrders: ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
    callbackFormat:        ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
    callbackRetrySeconds:  ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
    pinScripts:            ['CHECKOUT'],
    embeddingOrigins:      ['CHECKOUT'],
    ownHost:               ['CHECKOUT'],
    sessionUpdate:         ['CHECKOUT'],
    requestSignature:      ['S2S_CARD', 'S2S_APM', 'CHECKOUT'],
  }
  const actual = Object.fromEntries(Object.entries(mappingOptions).map(([name, { protocols: of }]) => [name, of]))
  assert.deepEqual(actual, expected)
})

test('the payer fields an operator may require are those marked m in chapter 10 §7.1.1', () => {
  const words =
    'middle_name birth_date address address2 house_number country state city district zip phone_country_code'
  assert.deepEqual(
    [...payerFieldsByMapping].sort(),
    words
      .split(' ')
      .map((word) => `payer_${word}`)
      .sort(),
  )
})

describe('choices', () => {
  // biome-ignore format: a table is read in columns.
  const sound: readonly (readonly [Protocol, Readonly<Record<string, unknown>>])[] = [
    ['S2S_CARD', { digest: 'sha256' }],
    ['S2S_CARD', { addToCallback: ['arn', 'payer_zip', 'eci'], addToStatus: ['card'] }],
    ['S2S_APM',  { addToRedirect: ['brand'] }],
    ['CHECKOUT', { addToRedirect: ['payment_method', 'brand'] }],
    ['S2S_CARD', { requiredPayerFields: ['payer_address', 'payer_country', 'payer_city', 'payer_zip'] }],
    ['CHECKOUT', { requiredPayerFields: ['payer_email', 'payer_phone'] }],
    ['CHECKOUT', { defaultLanguage: 'zh-TW' }],
    ['CHECKOUT', { terms: { enabled: true, url: 'https://shop.example/terms' } }],
    ['CHECKOUT', { terms: { enabled: true, url: null } }],
    ['CHECKOUT', { maxDeclines: 1 }],
    ['CHECKOUT', { maxDeclines: 20 }],
    ['CHECKOUT', { declinesPerAddress: 1 }],
    ['CHECKOUT', { declinesPerAddress: 10_000 }],
    ['CHECKOUT', { hashUpperCasing: 'unicode' }],
    ['S2S_APM',  { redirectMode: 'memory_storage', cascadingContext: true, rejectDuplicateOrders: true, callbackFormat: 'json' }],
    ['S2S_CARD', { callbackRetrySeconds: [1, 60, 2_500_000] }],
    ['S2S_CARD', { callbackRetrySeconds: null }],
    ['CHECKOUT', { embeddingOrigins: ['*'] }],
    ['S2S_APM',  { extendedDataKeys: ['network_transaction_id', 'decline_class'] }],
    ['CHECKOUT', { pinScripts: false, embeddingOrigins: ['https://shop.example', 'http://127.0.0.1:8080'] }],
  ]
  for (const [protocol, options] of sound) {
    test(`${protocol} takes ${JSON.stringify(options)} and keeps every other default`, () => {
      const { mapping, faults } = parse(protocol, options)
      assert.deepEqual(faults, [])
      assert.deepEqual(mapping, { merchantId: 'm', ...defaultMapping(protocol), ...options })
    })
  }

  test('terms without a url have none', () => {
    assert.deepEqual(parse('CHECKOUT', { terms: { enabled: true } }).mapping.terms, { enabled: true, url: null })
  })

  test('a mapping that is switched off says so', () => {
    const { mapping } = parseMappingOptions({ merchantId: 'm', protocol: 'S2S_CARD', enabled: false, options: {} })
    assert.equal(mapping.enabled, false)
  })
})

describe('faults', () => {
  const tooLong = [limits.callback.retryPlanSeconds, 1]
  // biome-ignore format: a table is read in columns.
  const wrong: readonly (readonly [Protocol, string, unknown, RegExp])[] = [
    ['S2S_CARD', 'digets',               'md5',                       /^digets is not an option; the options are digest, .*callbackRetrySeconds/],
    ['S2S_CARD', 'constructor',          'md5',                       /^constructor is not an option/],
    ['S2S_CARD', 'defaultLanguage',      'de',                        /^defaultLanguage is an option of CHECKOUT, not of S2S_CARD\.$/],
    ['CHECKOUT', 'requiredPayerFields',  ['payer_middle_name'],       /^requiredPayerFields must be a list without repeats of payer_email, /],
    ['S2S_APM',  'requiredPayerFields',  ['payer_zip'],               /^requiredPayerFields is an option of S2S_CARD and CHECKOUT, not of S2S_APM\.$/],
    ['S2S_CARD', 'addToRedirect',        ['brand'],                   /^addToRedirect is an option of S2S_APM and CHECKOUT, not of S2S_CARD\.$/],
    ['CHECKOUT', 'redirectMode',         'standard',                  /^redirectMode is an option of S2S_CARD and S2S_APM, not of CHECKOUT\.$/],
    ['S2S_CARD', 'digest',               'SHA256',                    /^digest must be one of md5, sha256\.$/],
    ['S2S_CARD', 'digest',               null,                        /^digest must be one of md5, sha256\.$/],
    ['S2S_CARD', 'addToCallback',        'arn',                       /^addToCallback must be a list without repeats of .*arn/],
    ['S2S_CARD', 'addToCallback',        ['arn', 'shoe_size'],        /^addToCallback must be a list without repeats of .*arn/],
    ['S2S_CARD', 'addToCallback',        ['arn', 'arn'],              /^addToCallback must be a list without repeats/],
    ['S2S_CARD', 'addToCallback',        ['arn', 7],                  /^addToCallback must be a list without repeats/],
    ['S2S_CARD', 'extendedDataKeys',     ['a', 'a'],                  /^extendedDataKeys must be a list of up to 50 keys/],
    ['S2S_CARD', 'extendedDataKeys',     ['a b'],                     /^extendedDataKeys must be a list of up to 50 keys/],
    ['CHECKOUT', 'addToStatus',          ['eci'],                     /^addToStatus must be a list without repeats/],
    ['CHECKOUT', 'addToRedirect',        ['payer_email'],             /^addToRedirect must be a list without repeats of payment_method, brand\.$/],
    ['S2S_CARD', 'requiredPayerFields',  ['payer_email'],             /^requiredPayerFields must be a list without repeats of payer_middle_name, /],
    ['CHECKOUT', 'defaultLanguage',      'es',                        /^defaultLanguage must be one of en, sp, ar, /],
    ['CHECKOUT', 'terms',                true,                        /^terms must be an object of enabled/],
    ['CHECKOUT', 'terms',                { enabled: 'yes' },          /^terms must be an object of enabled/],
    ['CHECKOUT', 'terms',                { enabled: true, url: 'javascript:alert(1)' }, /^terms must be an object of enabled/],
    ['CHECKOUT', 'terms',                { enabled: true, uri: null }, /^terms must be an object of enabled/],
    ['CHECKOUT', 'maxDeclines',          0,                           /^maxDeclines must be a whole number between 1 and 20\.$/],
    ['CHECKOUT', 'maxDeclines',          21,                          /^maxDeclines must be a whole number between 1 and 20\.$/],
    ['CHECKOUT', 'maxDeclines',          '3',                         /^maxDeclines must be a whole number between 1 and 20\.$/],
    ['CHECKOUT', 'declinesPerAddress',   0,                           /^declinesPerAddress must be a whole number between 1 and 10000\.$/],
    ['CHECKOUT', 'hashUpperCasing',      'latin1',                    /^hashUpperCasing must be one of ascii, unicode\.$/],
    ['CHECKOUT', 'maxDeclines',          2.5,                         /^maxDeclines must be a whole number between 1 and 20\.$/],
    ['S2S_CARD', 'cascadingContext',     'true',                      /^cascadingContext must be true or false\.$/],
    ['S2S_CARD', 'callbackFormat',       'xml',                       /^callbackFormat must be one of form, json\.$/],
    ['S2S_CARD', 'callbackRetrySeconds', [0],                         /^callbackRetrySeconds must be null or a list of up to 100 waits in seconds/],
    ['S2S_CARD', 'callbackRetrySeconds', [60, '60'],                  /^callbackRetrySeconds must be null or a list/],
    ['S2S_CARD', 'callbackRetrySeconds', tooLong,                     /together up to 2592000\.$/],
    ['S2S_CARD', 'callbackRetrySeconds', Array(101).fill(1),          /^callbackRetrySeconds must be null or a list of up to 100/],
    ['CHECKOUT', 'embeddingOrigins',     ['https://shop.example/x'],  /^embeddingOrigins must be a list of origins/],
    ['CHECKOUT', 'embeddingOrigins',     ['*.example'],               /^embeddingOrigins must be a list of origins/],
  ]
  for (const [protocol, name, value, sentence] of wrong) {
    test(`${protocol} refuses ${name} = ${JSON.stringify(value).slice(0, 60)} and keeps the default`, () => {
      const { mapping, faults } = parse(protocol, { [name]: value })
      assert.equal(faults.length, 1)
      assert.match(faults[0] ?? '', sentence)
      assert.deepEqual(mapping, { merchantId: 'm', ...defaultMapping(protocol) })
    })
  }

  test('every fault is reported, and valid options beside it still apply', () => {
    const { mapping, faults } = parse('S2S_CARD', { digest: 'sha256', callbackFormat: 'xml', nonsense: 1 })
    assert.equal(faults.length, 2)
    assert.equal(mapping.digest, 'sha256')
  })

  for (const options of [null, undefined, [], 'md5', 3]) {
    test(`options that are ${JSON.stringify(options)} are not an object`, () => {
      assert.deepEqual(parse('S2S_CARD', options).faults, ['Options must be an object of option names and values.'])
    })
  }
})
