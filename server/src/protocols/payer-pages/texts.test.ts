/** Chapter 30 §7.6: every text exists in all 21 languages. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { languages } from '#domain/place/language.ts'
import { wordingFor, wordingOf } from './texts.ts'

const folder = new URL('../../../../domain/src/place/languages/', import.meta.url)
const read = (code: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${code}.json`, folder), 'utf8')).payerPages
const english = read('en')
const placeholders = (text = ''): readonly string[] => (text.match(/\{\w*\}/g) ?? []).toSorted()

test('there is one file for each language of the interface, and no other', () => {
  assert.deepEqual(readdirSync(folder).toSorted(), languages.map(({ code }) => `${code}.json`).toSorted())
})

for (const { code, name } of languages) {
  describe(name, () => {
    const texts = read(code)

    test('is what its pages say', () => assert.deepEqual(wordingOf(code).texts, texts))

    test('has the texts of English in the same order, and none besides', () => {
      assert.deepEqual(Object.keys(texts), Object.keys(english))
    })

    test('leaves the same places to be filled in', () => {
      for (const key of Object.keys(english))
        assert.deepEqual(placeholders(texts[key]), placeholders(english[key]), key)
    })

    test('says something, in one line and without spaces around it', () => {
      for (const [key, text] of Object.entries(texts)) assert.match(text, /^\S(?:.*\S)?$/, key)
    })

    if (code !== 'en')
      test('is translated throughout', () => {
        for (const [key, text] of Object.entries(texts)) assert.notEqual(text, english[key], key)
      })
  })
}

test('no two languages say the same where a sentence is long enough to differ', () => {
  for (const key of Object.keys(english).filter((name) => name.endsWith('Message'))) {
    const said = languages.map(({ code }) => read(code)[key])
    assert.equal(new Set(said).size, languages.length, key)
  }
})

// biome-ignore format: a table is read in columns.
const wishes = [
  // Accept-Language                        language
  [ 'de-AT,de;q=0.9,en;q=0.5',              'de'    ],
  [ 'es-MX',                                'sp'    ],
  [ 'zh',                                   'zh'    ],
  [ 'zh-CN,zh;q=0.9',                       'zh'    ],
  [ 'zh-HK',                                'zh-TW' ],
  [ 'zh-Hant-MO',                           'zh-TW' ],
  [ 'ZH-tw',                                'zh-TW' ],
  [ 'no',                                   'nb'    ],
  [ 'nn-NO',                                'nb'    ],
  [ 'pt-BR',                                'pt'    ],
  [ 'en;q=0.4, ru;q=0.8',                   'ru'    ],
  [ 'ja;q=0, fr;q=0.1',                     'fr'    ],
  [ 'sv, pl',                               'pl'    ],
  [ '*',                                    'en'    ],
  [ 'sv',                                   'en'    ],
  [ 'sp',                                   'en'    ],
  [ '',                                     'en'    ],
  [ undefined,                              'en'    ],
  [ ';;;,,q=,x-,de-',                       'en'    ],
] as const
for (const [wish, code] of wishes) {
  test(`a browser that asks for "${wish ?? 'nothing'}" is answered in ${code}`, () => {
    assert.equal(wordingFor(wish).language.code, code)
  })
}
