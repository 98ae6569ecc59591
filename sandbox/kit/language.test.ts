import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageFor } from './language.ts'
import { payerTexts } from './payer-texts.ts'

// biome-ignore format: a table is read in columns.
const cases = [
  // wish                           language
  [ undefined,                      'en'      ],
  [ '',                             'en'      ],
  [ 'xx',                           'en'      ],
  [ 'de',                           'de'      ],
  [ 'DE-at',                        'de'      ],
  [ 'fr-CH, fr;q=0.9, en;q=0.8',    'fr'      ],
  [ 'en;q=0.1, pl;q=0.9',           'pl'      ],
  [ 'xx, ja;q=0.5',                 'ja'      ],
  [ 'de;q=0, nl;q=0.1',             'nl'      ],
  [ 'zh',                           'zh-Hans' ],
  [ 'zh-CN',                        'zh-Hans' ],
  [ 'zh-TW',                        'zh-Hant' ],
  [ 'zh-Hant',                      'zh-Hant' ],
  [ 'no',                           'nb'      ],
  [ '__proto__',                    'en'      ],
] as const

for (const [wish, language] of cases) {
  test(`a request for "${wish ?? 'nothing'}" gets ${language}`, () => assert.equal(languageFor(wish), language))
}

test('the pages support all 21 languages of the interface', () => {
  const tags = 'en es ar az fr nb zh-Hans zh-Hant kk de it hr cs hu pl pt ro ja nl bg ru'.split(' ')
  assert.deepEqual(Object.keys(payerTexts), tags)
})
