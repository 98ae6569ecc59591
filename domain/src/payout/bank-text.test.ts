/** Chapter 70 §3: what banks of SEPA have to accept. See decisions/payouts#letters-of-sepa. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assert as always, property, string } from 'fast-check'
import { bankName, bankText, isBankName } from './bank-text.ts'

test('names are written in Latin letters without marks', () => {
  // biome-ignore format: a table is read in columns.
  const cases = [
    ["Acme (UK) Ltd. - 1/2, it's: why? +", "Acme (UK) Ltd. - 1/2, it's: why? +"],
    ['Žižkovská pivnice',                  'Zizkovska pivnice'],
    ['Žižek',                            'Zizek'],
    ['Łódź Żółta Gęś',                     'Lodz Zolta Ges'],
    ['Şişli Çiğ Köfte İğne ısı',           'Sisli Cig Kofte Igne isi'],
    ['Țară și Fii',                        'Tara si Fii'],
    ['Großmann & Söhne',                   'Grossmann + Sohne'],
    ['STRAẞE',                             'STRASSE'],
    ['Ægir Þór Ðe ÞÓR',                    'Aegir Thor De THOR'],
    ['Œuvre Øst Đuro Ħal Ŋ',               'Oeuvre Ost Duro Hal Ng'],
    ['Ελληνικά Ναυπηγεία ΑΕ',              'Ellinika Nafpigeia AE'],
    ['ΝΑΥΠΗΓΕΙΑ',                          'NAFPIGEIA'],
    ['Θεόδωρος ΘΕΟΔΩΡΟΣ Ψαρράς Χρήστος',   'Theodoros THEODOROS Psarras Christos'],
    ['Ευάγγελος Παπαευσταθίου',            'Evangelos Papaefstathiou'],
    ['Μπακάλικο Λάμπρου Προϋπόθεση',       'Bakaliko Lamprou Proypothesi'],
    ['Λιμάνι ταυ',                         'Limani taf'],
    ['Български пощи ЕООД',                'Balgarski poshti EOOD'],
    ['Щастие ЩАСТИЕ Яна Юлий ь',           'Shtastie SHTASTIE Yana Yuliy y'],
    ['Ђорђе Љубљана Његош Ћирић Џон',      'Djordje Ljubljana Njegosh Ciric Dzon'],
    ['Ѓорѓи Ќира Ѕвезда Јован',            'Gjorgji Kjira Dzvezda Jovan'],
    ['Їжак і Ґудзик Єва Ўладзь',           'Izhak i Gudzik Yeva Uladzy'],
    ['Привет Ёж Эхо Выход',                'Privet Ezh Eho Vyhod'],
    ['Қазақстан Темір Жолы ҚАЗАҚ',         'Qazaqstan Temir Zholy QAZAQ'],
    ['Өнөр Үмүт Ғани Әлия Ұлан Һади',      'Onor Umut Gani Aliya Ulan Hadi'],
    ['Тоҷикистон Ҳаким Ӯғлӣ Ўзбекистон',   'Tojikiston Hakim Ugli Uzbekiston'],
    ['Башҡортостан Ҙур Ҫәскә Җәмилә',      'Bashqortostan Zur Saska Jamila'],
    ['„Rose“ «Rose» ’n – — _ ~',           "'Rose' 'Rose' 'n - - - -"],
    ['a;b|c\\d[e]{f}',                     'a,b/c/d(e)(f)'],
    ['№ 5 € … ™ ² ﬁ Ａ',                   'No 5 EUR ... TM 2 fi A'],
    ['a\u00a0b\u200bc\td',                 'a bc d'],
    ['<a> = "b" @ 5%',                     ".a. . 'b' . 5."],
    ['日本 עברית 🌹',                        '.. ..... .'],
  ] as const
  for (const [text, written] of cases) assert.equal(bankText(text), written, text)
})

test('whatever a name has, only letters that banks accept are written, at most seventy', () => {
  always(
    property(string({ unit: 'binary', maxLength: 100 }), (text) => {
      assert.match(bankText(text), /^[A-Za-z0-9/\-?:().,'+ ]*$/)
      const name = bankName(text)
      assert.ok(name.length <= 70 && name === name.trim() && !name.includes('  '), name)
      assert.doesNotMatch(name, /^\/|\/\/|\/$/)
      assert.equal(bankText(bankText(text)), bankText(text))
    }),
    { numRuns: 2000 },
  )
  assert.equal(bankName(`${'ß'.repeat(34)}a b`), `${'ss'.repeat(34)}a`)
})

test('a name has no slash at its beginning or end, and no two in a row', () => {
  assert.equal(bankName('/Acme//Europe| /'), 'Acme/Europe')
  assert.equal(bankName(`${'a'.repeat(69)}/b`), 'a'.repeat(69))
})

test('a name of which a letter or digit would be lost is none', () => {
  // biome-ignore format: a table is read in columns.
  const cases = [
    ['株式会社',       false],
    ['שלום',         false],
    ['- .',          false],
    ['',             false],
    ['株式会社 Acme',  false],
    ['Acme ქართული', false],
    ['Acme ٣',       false],
    ['Қазақ',        true],
    ['Ａcme № 5 ½ „a“ 🌹', true],
    ['Ναι',          true],
    ['7',            true],
  ] as const
  for (const [text, is] of cases) assert.equal(isBankName(text), is, text)
})
