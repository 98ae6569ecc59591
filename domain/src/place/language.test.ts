import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageOf, languages } from './language.ts'

// Chapter 10 §7.1.11 and chapter 30 §7.6, in their order.
const codes = 'en, sp, ar, az, fr, nb, zh, zh-TW, kk, de, it, hr, cs, hu, pl, pt, ro, ja, nl, bg, ru'.split(', ')

const ofInterface = languages.slice(0, codes.length)

test('the first languages are the 21 codes of the interface, in its order', () => {
  assert.deepEqual(
    ofInterface.map((language) => language.code),
    codes,
  )
})

test('a code is read in any case', () => {
  for (const code of codes) {
    for (const text of [code, code.toLowerCase(), code.toUpperCase()]) assert.equal(languageOf(text), code)
  }
})

test('an unlisted or absent code means English', () => {
  for (const text of [undefined, '', 'es', 'xx', 'en-GB', 'zh_TW', ' de', 'constructor', '日本']) {
    assert.equal(languageOf(text), 'en')
  }
})

test('the tag for the page is the code itself but for Spanish and the two forms of Chinese', () => {
  const different = ofInterface.filter(({ code, tag }) => code !== tag).map(({ code, tag }) => [code, tag])
  assert.deepEqual(different, [
    ['sp', 'es'],
    ['zh', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
  ])
})

test('only Arabic is written from right to left', () => {
  assert.deepEqual(
    ofInterface.filter(({ direction }) => direction === 'rtl').map(({ code }) => code),
    ['ar'],
  )
})

test('every tag is one the locale data knows, and every name is in the script of its language', () => {
  for (const { tag, nativeName, code } of languages) {
    assert.deepEqual(Intl.getCanonicalLocales(tag), [tag])
    const own = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? assert.fail(code)
    const script = (text: string): string | undefined =>
      scripts.find((name) => new RegExp(`\\p{sc=${name}}`, 'u').test(text))
    assert.equal(script(nativeName), script(own), code)
  }
  assert.equal(new Set(languages.map(({ nativeName }) => nativeName)).size, languages.length)
})

const scripts = ['Arabic', 'Cyrillic', 'Han', 'Latin']
