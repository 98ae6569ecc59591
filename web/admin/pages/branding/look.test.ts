import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, lookOf, previewAddress } from './look.ts'

const own = lookOf(null)

test('a merchant without branding has the default appearance', () => {
  assert.deepEqual(coloursIn(own), ['', '', ''])
  assert.equal(own.template, 'card')
})

test('unreadable colours are reported at the field that has to change', () => {
  assert.deepEqual(faultsOf(own), {})
  assert.match(faultsOf({ ...own, button: 'blue' }).button ?? '', /must be a colour/)
  assert.match(faultsOf({ ...own, heading: '#eeeeee', background: '#ffffff' }).heading ?? '', /contrast/)
  assert.match(faultsOf({ ...own, heading: '#111111' }).heading ?? '', /needs a background colour/)
})

test('the preview uses the chosen values and skips a colour that is still being typed', () => {
  const look = { ...own, heading: '#11', background: '#FFFFFF', template: 'split' as const, withoutLogo: true }
  const address = new URL(
    previewAddress({ merchantId: 'm', look, logo: 'abc', language: 'ar' }),
    'https://panel.example',
  )
  assert.equal(address.pathname, '/admin/api/merchants/m/branding/preview')
  assert.deepEqual(Object.fromEntries(address.searchParams), {
    template: 'split',
    logo: 'none',
    language: 'ar',
    background: '#FFFFFF',
    button: '',
  })
})

const coloursIn = ({ heading, background, button }: typeof own) => [heading, background, button]
