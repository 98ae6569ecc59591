import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMappingOptions } from '#domain/mapping.ts'
import { protocols } from '#domain/merchant.ts'
import { optionsFrom, typedOf } from './typed-options.ts'

const chosenOptions = {
  S2S_CARD: {
    digest: 'sha256',
    requiredPayerFields: ['payer_city'],
    callbackRetrySeconds: [5, 60],
    redirectMode: 'memory_storage',
  },
  S2S_APM: { addToCallback: ['arn'], cascadingContext: true },
  CHECKOUT: {
    terms: { enabled: true, url: 'https://shop.example/terms' },
    maxDeclines: 5,
    requiredPayerFields: ['payer_email', 'payer_phone'],
    embeddingOrigins: ['https://shop.example', 'https://other.example'],
    defaultLanguage: 'ar',
  },
} as const

for (const protocol of protocols) {
  test(`options of ${protocol} survive the form unchanged, and the service accepts all of them`, () => {
    const stored = parseMappingOptions({ merchantId: 'm', protocol, options: chosenOptions[protocol] })
    assert.deepEqual(stored.faults, [])
    const sent = optionsFrom(typedOf(true, stored.mapping), protocol)
    const again = parseMappingOptions({ merchantId: 'm', protocol, options: sent })
    assert.deepEqual(again, stored)
  })
}

test('an empty retry plan means the default one, and an empty address the platform’s page', () => {
  const { mapping } = parseMappingOptions({ merchantId: 'm', protocol: 'CHECKOUT', options: {} })
  const sent = optionsFrom({ ...typedOf(true, mapping), termsEnabled: true, termsUrl: ' ' }, 'CHECKOUT')
  assert.equal(sent['callbackRetrySeconds'], null)
  assert.deepEqual(sent['terms'], { enabled: true, url: null })
})
