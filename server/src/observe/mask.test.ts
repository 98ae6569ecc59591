import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { luhnValid } from '#domain/card.ts'
import { maskCardNumbers, maskSecrets } from './mask.ts'

describe('a card number is masked', () => {
  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [title: string, text: string, masked: string])[] = [
    ['in a sentence',                       'card 4111111111111111 was refused',     'card 411111******1111 was refused'],
    ['in groups with spaces',               '4111 1111 1111 1111',                   '411111******1111'],
    ['in groups with dashes',               '4111-1111-1111-1111',                   '411111******1111'],
    ['in groups of a form body',            'x=4111+1111+1111+1111&y',               'x=411111******1111&y'],
    ['in groups of an address',             '4111%201111%201111%201111',             '411111******1111'],
    ['in the groups of its network',        '3782 822463 10005',                     '378282*****0005'],
    ['between letters',                     'pan4111111111111111end',                'pan411111******1111end'],
    ['after another number',                '12 4111111111111111',                   '12 411111******1111'],
    ['before its code',                     '4111111111111111 123',                  '411111******1111 123'],
    ['before its date and code',            '4111111111111111 12 38 123',            '411111******1111 12 38 123'],
    ['beside another card number',          '4111111111111111 5555555555554444',     '411111******1111 555555******4444'],
    ['with 12 digits, the fewest there are', '501800000009',                         '501800**0009'],
    ['with 19 digits, the most there are',  '6304000000000000000',                   '630400*********0000'],
    ['after an escaped control character',  String.raw`\u00004111111111111111`,      String.raw`\u0000411111******1111`],
  ]
  for (const [title, text, masked] of cases) test(title, () => assert.equal(maskCardNumbers(text), masked))

  test('with any surrounding text and grouping', () => {
    const number = fc
      .tuple(fc.stringMatching(/^[1-9][0-9]{10,17}$/), fc.nat(9))
      .map(([body, check]) => `${body}${check}`)
      .filter(luhnValid)
    const around = fc.string({ maxLength: 20 }).filter((text) => !/[0-9]/.test(text))
    const separator = fc.constantFrom('', ' ', '-', '+')
    fc.assert(
      fc.property(around, number, separator, around, (before, pan, between, after) => {
        const written = pan.replace(/(?<=^(?:.{4})+)/g, between)
        assert.ok(!maskCardNumbers(JSON.stringify(before + written + after)).includes(written))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('text other than card numbers is left alone', () => {
  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [title: string, text: string])[] = [
    ['a number with a wrong check digit',                '4111111111111112'],
    ['a shorter number',                                 '41111111111'],
    ['a longer number, such as an acquirer’s reference', '74537604221222132710572'],
    ['a time',                                           '"time":"2026-03-10T11:51:53.123Z"'],
    ['an identifier of ours, though digits only',        '41111111-1111-1111-8111-111111111111'],
    ['a request id of a proxy',                          '"requestId":"a4111111111111111bbbbbbbbbbbbbbb"'],
  ]
  for (const [title, text] of cases) test(title, () => assert.equal(maskCardNumbers(text), text))
})

describe('a secret is hidden by its name or its form', () => {
  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [title: string, text: string, masked: string])[] = [
    ['a code in a form body',         'a=1&card_cvv2=123&b=2',                     'a=1&card_cvv2=***&b=2'],
    ['a code in JSON text',           String.raw`{\"cvv\": \"123\",\"a\":1}`,      String.raw`{\"cvv\": \"***\",\"a\":1}`],
    ['a password in a sentence',      'password: hunter2, user: x',                'password: ***, user: x'],
    ['a nested token',                'parameters[paymentToken]=abc&x=1',          'parameters[paymentToken]=***&x=1'],
    ['an escaped nested token',       'parameters%5BpaymentToken%5D=abc',          'parameters%5BpaymentToken%5D=***'],
    ['an authorization header',       'authorization: Bearer abc.def',             'authorization: Bearer ***'],
    ['a hash by its name',            'hash=2702AE0C',                             'hash=***'],
    ['a md5 digest',                  'got 2702ae0c4f99506dc29b5615ba9ee3c0 here', 'got *** here'],
    ['a card token',                  'f5d6a0ab6fcfb6487a39e8256e50fff3c95aaa97a8dd5d2e3d7e2d1d0c5b1a2f', '***'],
    ['a number after a line end',    String.raw`card:\npan=4111 \nwhsec_abc`,       String.raw`card:\npan=*** \nwhsec_***`],
    ['a signing secret',              'whsec_MDEyMzQ1Njc4OWFi',                    'whsec_***'],
    ['a long base64 text',            'x MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQ== y', 'x *** y'],
    ['a private key',                 String.raw`-----BEGIN PRIVATE KEY-----\nMIIE/x\n`, '-----BEGIN ***'],
    ['a query string of an address',  'GET https://a.example/x?client_key=1&y=2 failed', 'GET https://a.example/x?*** failed'],
    ['a query string of a path',      'GET /post?action=SCHEDULE_INFO',            'GET /post?***'],
    ['a password of an address',      'postgres://user:pass@db:5432/x',            'postgres://***@db:5432/x'],
    ['input that a parser quotes',    String.raw`Unexpected token 'x', \"{\"cvv\":\"123\"x}\" is not valid JSON`, "Unexpected token 'x', *** is not valid JSON"],
    ['input that a parser cuts out',  String.raw`Unexpected token 'x', ...\"v\":\"123\"x}\"... is not valid JSON`, "Unexpected token 'x', *** is not valid JSON"],
  ]
  for (const [title, text, masked] of cases) test(title, () => assert.equal(maskSecrets(text), masked))

  test('a question mark in a sentence hides nothing', () => {
    assert.equal(maskSecrets('Is the company: known? Yes.'), 'Is the company: known? Yes.')
  })
})

test('a JSON line is still JSON after masking', () => {
  // biome-ignore format: one piece beside the other is enough.
  const pieces = [
    '"', '\\', '\n', '\b', '\f', '\t', '\0', "'", '?', 'a?b=', 'hash', 'password', '=', ':', ' ', '&', '-----BEGIN ', 'whsec_', '://', '@', '\u2028',
    '4111111111111111', '4111 1111', '%20', '...', ' is not valid JSON', 'x'.repeat(50), '2702ae0c4f99506dc29b5615ba9ee3c0',
    '{', '}', '[', ']', ',', 'Ab1'.repeat(20), 'é', '😀', '\\u0000',
  ]
  const piece = fc.constantFrom(...pieces)
  const text = fc.array(piece, { maxLength: 12 }).map((drawn) => drawn.join(''))
  fc.assert(
    fc.property(text, text, (first, second) => {
      const parsed: unknown = JSON.parse(
        maskSecrets(JSON.stringify({ msg: first, err: { message: second, status: 200 } })),
      )
      assert.equal(typeof parsed, 'object')
    }),
    { numRuns: 5000 },
  )
})

test('masking takes time in proportion to the length of a line', () => {
  const hostile = ['\\"', '/a', '1 ', '-----BEGIN ', 'hash=', 'a?', '"requestId":', 'Aa1', '4111-']
  for (const piece of hostile) {
    const started = performance.now()
    maskSecrets(piece.repeat(5000))
    assert.ok(performance.now() - started < 2000, `${JSON.stringify(piece)} took too long`)
  }
})
