import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteOf } from './site.ts'

// biome-ignore format: a table is read in columns.
const cases = [
  ['pay.example.com',        'example.com'],
  ['a.b.forms.example',      'forms.example'],
  ['example.com',            'example.com'],
  ['pay.shop.co.uk',         'shop.co.uk'],
  ['shop.com.br',            'shop.com.br'],
  ['pay.shop.de',            'shop.de'],
] as const

for (const [host, site] of cases)
  test(`${host} belongs to the site ${site}`, () => {
    assert.equal(siteOf(host), site)
  })
