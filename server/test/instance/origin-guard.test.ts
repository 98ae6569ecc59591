import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#server/process/config.ts'
import { guardOrigins } from '#server/process/origin-guard.ts'

const startWith = (settings: Readonly<Record<string, string>>): void =>
  guardOrigins(readConfig('api', { GATEHOUSE_MODE: 'live', GATEHOUSE_KEYS: '{}', ...settings }))

const base = 'https://pay.example'

// biome-ignore format: a table is read in columns.
const refusedRequests = [
  ['the panel shares the address of payments',   { BASE_URL: base, ADMIN_URL: `${base}/admin` },                            /both https:\/\/pay\.example/],
  ['the panel is a merchant’s checkout host',    { ADMIN_URL: 'https://a.shop.example', CHECKOUT_DOMAIN: 'shop.example' },  /is inside CHECKOUT_DOMAIN/],
  ['the panel is a host of forms',               { ADMIN_URL: 'https://a.forms.example', FORMS_DOMAIN: 'forms.example' },   /ADMIN_URL .* is inside FORMS_DOMAIN/],
  ['payments are below the forms’ domain',       { BASE_URL: base, FORMS_DOMAIN: 'pay.example' },                           /BASE_URL .* is inside FORMS_DOMAIN/],
  ['forms are below the checkout domain',        { FORMS_DOMAIN: 'f.shop.example', CHECKOUT_DOMAIN: 'shop.example' },       /FORMS_DOMAIN and CHECKOUT_DOMAIN overlap/],
  ['checkout is below the forms’ domain',        { FORMS_DOMAIN: 'shop.example', CHECKOUT_DOMAIN: 'c.shop.example' },       /FORMS_DOMAIN and CHECKOUT_DOMAIN overlap/],
  ['the panel’s public address is http',         { ADMIN_URL: 'http://panel.example' },                                     /ADMIN_URL .* is plain http/],
  ['the panel is open to a network by http',     { ADMIN_HOST: '0.0.0.0' },                                                 /plain http on 0\.0\.0\.0/],
] as const

for (const [what, settings, text] of refusedRequests)
  test(`a live instance does not start if ${what}`, () => {
    assert.throws(() => startWith(settings), text)
  })

test('a live instance starts if panel, payments and forms have their own hosts', () => {
  startWith({
    BASE_URL: base,
    ADMIN_URL: 'https://panel.example',
    FORMS_DOMAIN: 'forms.example',
    CHECKOUT_DOMAIN: 'shop.example',
  })
  startWith({ BASE_URL: base })
})

test('a live instance starts with a panel that is reached by plain http on this machine only', () => {
  startWith({ BASE_URL: base, ADMIN_URL: 'http://localhost:8081' })
})

// biome-ignore format: a table is read in columns.
const places = [
  ['on this machine',                   { },                                                           'forms.localhost', true],
  ['on this machine by its name',       { BASE_URL: 'http://localhost:8080' },                         'forms.localhost', true],
  ['behind a public address',           { BASE_URL: base },                                            null,              false],
  ['with https on this machine',        { BASE_URL: 'https://localhost:8443' },                        null,              false],
  ['that wants none',                   { FORMS_DOMAIN: 'none' },                                      null,              false],
  ['with a domain of its own',          { BASE_URL: base, FORMS_DOMAIN: 'forms.example' },             'forms.example',   false],
  ['in live mode',                      { GATEHOUSE_MODE: 'live', GATEHOUSE_KEYS: '{}' },              null,              false],
] as const

for (const [what, settings, domain, isDefault] of places)
  test(`an instance ${what} has its forms ${domain === null ? 'without an origin' : `below ${domain}`}`, () => {
    const { formsDomain, formsDomainIsDefault } = readConfig('api', settings)
    assert.deepEqual([formsDomain, formsDomainIsDefault], [domain, isDefault])
  })

test('a sandbox may have the panel at the address of payments, but never on a host of forms', () => {
  startWith({ GATEHOUSE_MODE: 'sandbox', BASE_URL: base, ADMIN_URL: base })
  assert.throws(() =>
    startWith({ GATEHOUSE_MODE: 'sandbox', ADMIN_URL: 'https://forms.example', FORMS_DOMAIN: 'forms.example' }),
  )
})
