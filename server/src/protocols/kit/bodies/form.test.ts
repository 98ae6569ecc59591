import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import Fastify from 'fastify'
import { encodeForm, type FormTree, readForm, type TextTree } from './form.ts'
import { invalidText } from './value-tree.ts'

const urlencoded = 'application/x-www-form-urlencoded'

const read = (body: string | Buffer, contentType: string | undefined = urlencoded) =>
  readForm(typeof body === 'string' ? Buffer.from(body, 'latin1') : body, contentType)

/** The tree with ordinary prototypes, so that it can be laid beside a literal. */
function plain(tree: FormTree): unknown {
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [name, typeof value === 'object' ? plain(value) : value]),
  )
}

function treeOf(body: string | Buffer, contentType: string | undefined = urlencoded): unknown {
  const reading = read(body, contentType)
  assert.ok(reading.ok, `unreadable: ${JSON.stringify(reading)}`)
  return plain(reading.tree)
}

const faultOf = (body: string | Buffer, contentType: string | undefined = urlencoded) => {
  const reading = read(body, contentType)
  return reading.ok ? null : reading.fault
}

describe('an urlencoded body', () => {
  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [title: string, body: string, tree: unknown])[] = [
    ['names and values are read as sent, without trimming', 'action=SALE&order_id=+A+', { action: 'SALE', order_id: ' A ' }],
    ['names are case-sensitive',                       'a=1&A=2',                          { a: '1', A: '2' }],
    ['an empty body has no parameters',                '',                                 {}],
    ['a name without a value is empty text',           'auth&hash=',                       { auth: '', hash: '' }],
    ['only the first equals sign separates',           'token=a=b==',                      { token: 'a=b==' }],
    ['stray ampersands and nameless values mean nothing', '&&a=1&&=2&',                    { a: '1' }],
    ['of a repeated name the last one counts',         'a=1&b=2&a=3',                      { a: '3', b: '2' }],
    ['escapes are read in either case',                'a=%c3%A9%2b%20',                   { a: 'é+ ' }],
    ['unescaped UTF-8 is read too',                    'a=\xc3\xa9',                       { a: 'é' }],
    ['a leading byte order mark is kept',              'a=%EF%BB%BFx',                     { a: '\ufeffx' }],
    ['bracket names nest',                             'parameters[name]=x&custom_data[a][b]=y', { parameters: { name: 'x' }, custom_data: { a: { b: 'y' } } }],
    ['brackets may be escaped',                        'mpi_data%5Beci%5D=05',             { mpi_data: { eci: '05' } }],
    ['lists have their indexes as names',              'parameters[list][0][type]=t&parameters[list][1][type]=u', { parameters: { list: { 0: { type: 't' }, 1: { type: 'u' } } } }],
    ['empty brackets take the next index',             'l[]=a&l[]=b&l[7]=c&l[]=d',         { l: { 0: 'a', 1: 'b', 7: 'c', 8: 'd' } }],
    ['a nested value replaces an earlier text',        'a=1&a[b]=2',                       { a: { b: '2' } }],
    ['a text replaces an earlier nested value',        'a[b]=2&a=1',                       { a: '1' }],
    ['brackets that do not pair up are part of the name', 'a[b=1&a]b=2&[c]=3&a[b]c=4&a[b]c]=5', { 'a[b': '1', 'a]b': '2', '[c]': '3', 'a[b]c': '4', 'a[b]c]': '5' }],
  ]
  for (const [title, body, tree] of cases) test(title, () => assert.deepEqual(treeOf(body), tree))

  test('a value that is not UTF-8 is marked, and the others stay readable', () => {
    assert.deepEqual(treeOf('a=%FF&b=\xfe&c[d]=%C3&e=%ED%A0%80&f=%C0%80&g=ok'), {
      a: invalidText,
      b: invalidText,
      c: { d: invalidText },
      e: invalidText,
      f: invalidText,
      g: 'ok',
    })
  })

  test('a value with a NUL character, which no database column could keep, is marked as well', () => {
    assert.deepEqual(treeOf('a=x%00y&b=1'), { a: invalidText, b: '1' })
  })

  test('a wallet token arrives byte for byte', () => {
    const token = '{"paymentData":{"data":"a+b/c==","version":"EC_v1"},\n "x": "é😀\\u00e9" , "n":1.0}'
    assert.deepEqual(treeOf(`payment_token=${encodeURIComponent(token)}`), { payment_token: token })
  })

  for (const body of ['a=%', 'a=%4', 'a=%zz', 'a=1%2', '%g0=1', 'a=%+1', 'a=%-1'])
    test(`a broken escape makes the body unreadable: ${body}`, () => assert.equal(faultOf(body), 'bare-percent'))

  test('a name that is not UTF-8 makes the body unreadable', () => assert.equal(faultOf('%FF=1'), 'unreadable'))
})

describe('the content type', () => {
  for (const type of [undefined, '', urlencoded, `${urlencoded}; charset=UTF-8`, 'Application/X-WWW-Form-Urlencoded'])
    test(`${type} is read as urlencoded`, () => assert.ok(readForm(Buffer.from('a=1'), type).ok))

  for (const type of ['application/json', 'text/plain', 'multipart/mixed; boundary=b', 'nonsense'])
    test(`${type} is unreadable`, () => assert.equal(faultOf('a=1', type), 'unreadable'))

  test('the service hands every type, and none, to this reader with one catch-all parser', async () => {
    const app = Fastify()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.post('/post', (request, reply) => {
      const reading = Buffer.isBuffer(request.body) ? readForm(request.body, request.headers['content-type']) : null
      void reply.send(reading?.ok ? plain(reading.tree) : reading)
    })
    const post = async (headers: Record<string, string>) =>
      (await app.inject({ method: 'POST', url: '/post', headers, payload: Buffer.from('a=1') })).json()
    assert.deepEqual(await post({}), { a: '1' })
    assert.deepEqual(await post({ 'content-type': urlencoded }), { a: '1' })
    assert.deepEqual(await post({ 'content-type': 'image/png' }), { ok: false, fault: 'unreadable' })
    await app.close()
  })
})

describe('the limits of Chapter 10 §1.1', () => {
  const pairs = (count: number) => Array.from({ length: count }, (_, at) => `p${at}=1`).join('&')
  const nested = (depth: number) => `a${'[b]'.repeat(depth)}=1`
  const sized = (bytes: number) => `a=${'x'.repeat(bytes - 2)}`

  // biome-ignore format: a table is read in columns.
  const cases: readonly (readonly [title: string, body: string, fault: 'too-large' | null])[] = [
    ['256 KiB are read',                 sized(256 * 1024),     null        ],
    ['one byte more is too large',       sized(256 * 1024 + 1), 'too-large' ],
    ['nesting of 8 is read',             nested(8),             null        ],
    ['nesting of 9 is too large',        nested(9),             'too-large' ],
    ['400 parameters are read',          pairs(400),            null        ],
    ['401 parameters are too large',     pairs(401),            'too-large' ],
    ['repeated names count each time',   'a=1&'.repeat(401),    'too-large' ],
    ['stray ampersands do not count',    '&'.repeat(1000),      null        ],
  ]
  for (const [title, body, fault] of cases) test(title, () => assert.equal(faultOf(body), fault))

  test('a name made of nothing but brackets is refused without delay', () => {
    assert.equal(faultOf(`a${'[]'.repeat(100_000)}=1`), 'too-large')
  })
})

describe('names that mean something to the language', () => {
  const hostile =
    '__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1&toString=x&hasOwnProperty=y'

  test('are names like any other and reach no prototype', () => {
    const reading = read(hostile)
    assert.ok(reading.ok)
    assert.equal(Object.getPrototypeOf(reading.tree), null)
    assert.deepEqual(Object.keys(reading.tree), ['__proto__', 'constructor', 'a', 'toString', 'hasOwnProperty'])
    assert.equal(Reflect.get({}, 'polluted'), undefined)
    assert.equal(Reflect.get(Object, 'polluted'), undefined)
  })

  test('exist in no tree that was not sent them', () => {
    const reading = read('a=1')
    assert.ok(reading.ok)
    assert.equal(Reflect.get(reading.tree, 'constructor'), undefined)
    assert.equal(Reflect.get(reading.tree, '__proto__'), undefined)
  })
})

describe('a callback body', () => {
  test('is the worked example of Chapter 10 §11.3 byte for byte', () => {
    const body = encodeForm({
      action: 'SALE',
      result: 'SUCCESS',
      status: 'SETTLED',
      order_id: 'ORDER-12345',
      trans_id: 'aaaff66a-904f-11ea-833e-0242ac1f0007',
      hash: 'fc359ea0b4830271f611c30135761c85',
      trans_date: '2026-03-10 11:51:53',
      descriptor: 'TEST',
      amount: '10.00',
      currency: 'EUR',
      card: '411111******1111',
      card_expiration_date: '01/2038',
      custom_data: { cart: '778' },
    })
    assert.equal(
      body,
      'action=SALE&result=SUCCESS&status=SETTLED&order_id=ORDER-12345&trans_id=aaaff66a-904f-11ea-833e-0242ac1f0007' +
        '&hash=fc359ea0b4830271f611c30135761c85&trans_date=2026-03-10+11%3A51%3A53&descriptor=TEST&amount=10.00' +
        '&currency=EUR&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=01%2F2038&custom_data%5Bcart%5D=778',
    )
  })

  test('escapes every byte but letters, digits, hyphen, underscore and point, in upper-case hexadecimal', () => {
    assert.equal(encodeForm({ a: "-_.~!*'()ÿ%&=+😀" }), 'a=-_.%7E%21%2A%27%28%29%C3%BF%25%26%3D%2B%F0%9F%98%80')
  })

  test('writes lists with their indexes and leaves out what is empty of names', () => {
    assert.equal(encodeForm({ list: ['a', { b: 'c' }], none: {} }), 'list%5B0%5D=a&list%5B1%5D%5Bb%5D=c')
  })

  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((text) => !/[\][\0]/.test(text))
  const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((value) => !value.includes('\0'))
  const { tree } = fc.letrec<{ tree: TextTree; value: string | TextTree }>((tie) => ({
    value: fc.oneof({ depthSize: 'small', maxDepth: 6 }, text, tie('tree')),
    tree: fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
  }))

  test('is read back as the very tree it was made from', () => {
    fc.assert(
      fc.property(tree, (sent) => {
        assert.deepEqual(treeOf(encodeForm(sent)), sent)
      }),
      { numRuns: 2000 },
    )
  })

  test('agrees with the platform reader of forms on flat values', () => {
    fc.assert(
      fc.property(fc.dictionary(name, text, { noNullPrototype: true }), (sent) => {
        assert.deepEqual(Object.fromEntries(new URLSearchParams(encodeForm(sent))), sent)
      }),
      { numRuns: 1000 },
    )
  })
})
