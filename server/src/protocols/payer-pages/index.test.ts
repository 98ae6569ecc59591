/** Chapter 10 §8.1 to §8.5, without a browser. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import type { BrowserFacts } from '#domain/payment/facts.ts'
import { key, type PayerScene, payerScene, type Staging, transId, vector } from '../../../test/pages/payer-scene.ts'

type Headers = Readonly<Record<string, string>>

/** As a browser sends them; `dest` is where the page goes. */
const browsing = (dest = 'document'): Headers => ({
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': 'de-AT,de;q=0.9,en;q=0.5',
  'user-agent': 'Browser/1.0',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': dest,
})

const collected: Readonly<Record<string, string>> = {
  browser_color_depth: '24',
  browser_screen_height: '1080',
  browser_screen_width: '1920',
  browser_java_enabled: 'false',
  browser_javascript_enabled: 'true',
  browser_language: 'de-AT',
  browser_timezone_offset: '-120',
  browser_platform: 'Linux x86_64',
}

const back = `https://shop.example.com/return?trans_id=${transId}&order_id=ORDER-12345&hash=${vector.return}`

async function scene(t: TestContext, staging: Staging = {}): Promise<PayerScene> {
  const payer = await payerScene(staging)
  t.after(() => payer.app.close())
  return payer
}

const at = (path: string, id = transId, its = key): string => `/${path}/${id}/${its}`

const post = ({ app }: PayerScene, url: string, fields: Readonly<Record<string, string>>, headers: Headers = {}) =>
  app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })

const inputsOf = (page: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden"[^>]* name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )

describe('a client that is no browser', () => {
  for (const [path, purpose] of [
    ['verify/3ds', '3ds'],
    ['verify/redirect', 'redirect'],
    ['collector', 'collector'],
  ] as const) {
    test(`completes ${path} at once and is sent to the merchant with a signed query`, async (t) => {
      const payer = await scene(t)
      const reply = await post(payer, at(path), { MD: transId, PaRes: 'approve' }, { 'user-agent': 'client/1' })
      assert.equal(reply.statusCode, 303)
      assert.equal(reply.headers.location, back)
      assert.equal(payer.visits.length, 1)
      assert.equal(payer.visits[0]?.purpose, purpose)
      assert.deepEqual(payer.visits[0]?.fields, { MD: transId, PaRes: 'approve' })
      assert.equal(payer.visits[0]?.browser?.userAgent, 'client/1')
    })
  }

  test('may come by GET, and its query counts as fields, as far as it can be kept', async (t) => {
    const payer = await scene(t)
    const reply = await payer.app.inject(`${at('verify/redirect')}?status=ok&note=100%&odd=%00&%00=odd`)
    assert.equal(reply.statusCode, 303)
    assert.deepEqual(payer.visits[0]?.fields, { status: 'ok', note: '100%' })
  })

  test('is described by its headers alone, without the fields of the collector page', async (t) => {
    const payer = await scene(t)
    await post(payer, at('verify/3ds'), { PaRes: 'approve' }, { 'accept-language': 'fr-CA,fr;q=0.9', accept: '*/*' })
    const { userAgent: _, ...browser } = payer.visits[0]?.browser ?? {}
    assert.deepEqual(browser, {
      colorDepth: null,
      screenHeight: null,
      screenWidth: null,
      javaEnabled: null,
      javascriptEnabled: null,
      language: 'fr-CA',
      timezoneOffset: null,
      acceptHeaders: '*/*',
      platform: null,
    })
  })

  test('is sent on whatever the link target, since it has no windows', async (t) => {
    const payer = await scene(t, { override: '_blank' })
    assert.equal((await post(payer, at('verify/3ds'), { PaRes: 'approve' })).statusCode, 303)
  })
})

describe('the collector page', () => {
  test('comes before the visit counts, and carries what was brought', async (t) => {
    const payer = await scene(t)
    const brought = { MD: transId, PaRes: 'a"b<c>&\'d', submit: 'x' }
    const reply = await post(payer, at('verify/3ds'), brought, browsing())
    assert.equal(reply.statusCode, 200)
    assert.deepEqual(payer.visits, [])
    assert.match(reply.body, /<form method="post">/)
    const inputs = inputsOf(reply.body)
    assert.equal(inputs['MD'], transId)
    assert.equal(inputs['PaRes'], 'a&#34;b&#60;c&#62;&#38;&#39;d')
    assert.equal(inputs['browser_javascript_enabled'], 'false')
    for (const name of Object.keys(collected)) assert.ok(name in inputs, name)
  })

  test('posts the attributes, which reach the operation without the inputs of the page among the fields', async (t) => {
    const payer = await scene(t)
    const reply = await post(payer, at('verify/3ds'), { PaRes: 'approve', ...collected }, browsing())
    assert.equal(reply.statusCode, 303)
    assert.equal(reply.headers.location, back)
    assert.deepEqual(payer.visits[0]?.fields, { PaRes: 'approve' })
    assert.deepEqual(payer.visits[0]?.browser, {
      colorDepth: '24',
      screenHeight: '1080',
      screenWidth: '1920',
      javaEnabled: 'false',
      javascriptEnabled: 'true',
      language: 'de-AT',
      timezoneOffset: '-120',
      userAgent: 'Browser/1.0',
      acceptHeaders: browsing()['accept'],
      platform: 'Linux x86_64',
    })
  })

  test('is not shown again once attributes are known, and what is known stays', async (t) => {
    const payer = await scene(t, { facts: { browser: { language: 'en' } as BrowserFacts } })
    const reply = await post(payer, at('verify/3ds'), { PaRes: 'approve' }, browsing())
    assert.equal(reply.statusCode, 303)
    assert.equal(payer.visits[0]?.browser, null)
  })

  test('takes nothing for an attribute that does not look like one', async (t) => {
    const payer = await scene(t)
    const odd = Object.fromEntries(Object.keys(collected).map((name) => [name, '<script>'.repeat(99)]))
    await post(payer, at('verify/3ds'), odd, browsing())
    const browser = payer.visits[0]?.browser
    assert.deepEqual(
      [browser?.colorDepth, browser?.screenWidth, browser?.javascriptEnabled, browser?.platform, browser?.language],
      [null, null, null, null, 'de-AT'],
    )
  })

  test('is shown at its own address to a browser too old to say how it comes', async (t) => {
    const payer = await scene(t)
    const headers = { accept: 'text/html' }
    assert.match((await payer.app.inject({ url: at('collector'), headers })).body, /browser_color_depth/)
    assert.equal((await payer.app.inject({ url: at('verify/3ds'), headers })).statusCode, 303)
  })

  test('goes on to the challenge when the MPI service wants one', async (t) => {
    const onwards = { url: 'https://acs.example.com/challenge', method: 'POST', params: { creq: 'eyJ"' } } as const
    const payer = await scene(t, { onwards })
    const reply = await post(payer, at('collector'), collected, browsing())
    assert.equal(reply.statusCode, 200)
    assert.match(reply.body, /<form method="post" action="https:\/\/acs\.example\.com\/challenge">/)
    assert.deepEqual(inputsOf(reply.body), { creq: 'eyJ&#34;' })
  })
})

describe('a visit counts once', () => {
  test('a reload, a second post and a later look all lead to the merchant', async (t) => {
    const payer = await scene(t)
    const fields = { PaRes: 'approve', ...collected }
    const replies = [
      await post(payer, at('verify/3ds'), fields, browsing()),
      await post(payer, at('verify/3ds'), fields, browsing()),
      await payer.app.inject({ url: at('verify/3ds'), headers: browsing() }),
    ]
    for (const { statusCode, headers } of replies) assert.deepEqual([statusCode, headers.location], [303, back])
    assert.equal(payer.visits.length, 1)
  })

  test('the right key of a finished payment leads to the merchant, and nothing changes', async (t) => {
    const payer = await scene(t, { finished: true })
    const reply = await post(payer, at('verify/redirect'), {}, browsing())
    assert.deepEqual([reply.statusCode, reply.headers.location], [303, back])
    assert.deepEqual(payer.visits, [])
  })

  for (const path of ['verify/3ds', 'verify/redirect', 'collector', 'redirect']) {
    test(`HEAD does not visit /${path}`, async (t) => {
      const payer = await scene(t)
      assert.equal((await payer.app.inject({ method: 'HEAD', url: at(path) })).statusCode, 404)
      assert.deepEqual(payer.visits, [])
    })
  }
})

describe('a wrong key or an unknown payment', () => {
  const strangers = [
    ['wrong key', transId, key.replace('5', '6')],
    ['unknown payment', transId.replace('a', 'b'), key],
    ['no identifier', 'x', key],
  ] as const
  for (const path of ['verify/3ds', 'verify/redirect', 'collector', 'redirect'])
    for (const [what, id, its] of strangers) {
      test(`${what} at /${path}: HTTP 400, 208002 for a client, a page for a browser`, async (t) => {
        const payer = await scene(t)
        const client = await payer.app.inject(at(path, id, its))
        assert.equal(client.statusCode, 400)
        assert.deepEqual(client.json(), {
          result: 'ERROR',
          error_code: 208002,
          error_message: 'Not acceptable to request the 3ds for payment not in 3ds status.',
          errors: [],
        })
        const browser = await payer.app.inject({ url: at(path, id, its), headers: browsing() })
        assert.equal(browser.statusCode, 400)
        assert.match(browser.body, /<html lang="de" dir="ltr">/)
        assert.match(browser.body, /Dieser Link ist nicht mehr gültig/)
        assert.doesNotMatch(browser.body, /shop\.example\.com/)
        assert.deepEqual(payer.visits, [])
      })
    }

  test('a fault shows no more than that it is safe to reload', async (t) => {
    const payer = await scene(t, { fails: true })
    const page = await payer.app.inject({ url: at('verify/3ds'), headers: browsing() })
    assert.equal(page.statusCode, 500)
    assert.match(page.body, /Ihre Zahlung wird nicht doppelt abgebucht/)
    assert.doesNotMatch(page.body, /database/)
    const client = await payer.app.inject(at('verify/3ds'))
    assert.deepEqual([client.statusCode, client.json().error_message], [500, 'Internal error.'])
  })

  test('a body that cannot be read is refused and leaves the payment waiting', async (t) => {
    const payer = await scene(t)
    const send = (payload: string) =>
      payer.app.inject({
        method: 'POST',
        url: at('verify/3ds'),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload,
      })
    assert.equal((await send('PaRes=%zz')).statusCode, 400)
    assert.equal((await send(`PaRes=${'x'.repeat(300_000)}`)).statusCode, 413)
    assert.deepEqual(payer.visits, [])
  })
})

describe('the way back', () => {
  // biome-ignore format: a table is read in columns.
  const windows: readonly (readonly [sent: string | undefined, override: Staging['override'], dest: string, window: string])[] = [
    // term_url_target  override    shown in    goes
    [ undefined,        undefined,  'document', 'at once' ],
    [ '_top',           undefined,  'document', 'at once' ],
    [ '_self',          undefined,  'document', 'at once' ],
    [ '_PARENT',        undefined,  'document', 'at once' ],
    [ '_blank',         undefined,  'document', '_blank'  ],
    [ 'shop-frame',     undefined,  'document', 'shop-frame' ],
    [ undefined,        undefined,  'iframe',   '_blank'  ],
    [ '_top',           undefined,  'iframe',   '_blank'  ],
    [ '_Parent',        undefined,  'frame',    '_blank'  ],
    [ '_blank',         undefined,  'iframe',   '_blank'  ],
    [ '_self',          undefined,  'iframe',   'at once' ],
    [ 'shop-frame',     undefined,  'iframe',   'shop-frame' ],
    [ '_self',          '_top',     'iframe',   '_blank'  ],
    [ '_top',           '_self',    'iframe',   'at once' ],
    [ '_self',          '_blank',   'document', '_blank'  ],
    [ '_blank',         '_top',     'document', 'at once' ],
    [ '',               undefined,  'document', 'at once' ],
  ]
  for (const [sent, override, dest, window] of windows) {
    test(`${sent ?? 'no target'} with override ${override ?? 'unset'} in ${dest}: ${window}`, async (t) => {
      const payer = await scene(t, {
        ...(sent === undefined ? {} : { facts: { termTarget: sent } }),
        ...(override ? { override } : {}),
      })
      const reply = await post(payer, at('verify/3ds'), collected, browsing(dest))
      if (window === 'at once') return assert.deepEqual([reply.statusCode, reply.headers.location], [303, back])
      assert.equal(reply.statusCode, 200)
      const link = /<a class="button" href="([^"]*)" target="([^"]*)" rel="noopener">Continue<\/a>/.exec(reply.body)
      assert.deepEqual([link?.[1]?.replaceAll('&#38;', '&'), link?.[2]], [back, window])
      assert.match(reply.body, /return to <bdi>The Shop<\/bdi>/)
    })
  }

  test('by mapping option has the hash of earlier releases, with the digest of the mapping', async (t) => {
    for (const digest of ['md5', 'sha256'] as const) {
      const payer = await scene(t, { options: { digest, returnSignature: 'callback' } })
      const reply = await post(payer, at('verify/3ds'), {})
      assert.ok(String(reply.headers.location).endsWith(`hash=${vector[digest]}`))
    }
  })

  test('a merchant’s name cannot become markup', async (t) => {
    const payer = await scene(t, { title: '<img src=x> $& {merchant}' })
    const reply = await post(payer, at('verify/3ds'), collected, browsing('iframe'))
    assert.match(reply.body, /<bdi>&#60;img src=x&#62; \$&#38; \{merchant\}<\/bdi>/)
  })
})

describe('memory storage', () => {
  const stored = {
    url: 'https://acs.example.com/start?lang=en',
    method: 'POST',
    params: { PaReq: 'x', MD: transId },
  } as const

  test('the form is shown once; afterwards a page says what to do', async (t) => {
    const payer = await scene(t, { stored })
    const first = await payer.app.inject({ url: at('redirect'), headers: browsing() })
    assert.equal(first.statusCode, 200)
    assert.match(first.body, /<form method="post" action="https:\/\/acs\.example\.com\/start\?lang=en">/)
    assert.deepEqual(inputsOf(first.body), stored.params)
    const second = await payer.app.inject({ url: at('redirect'), headers: browsing('iframe') })
    assert.equal(second.statusCode, 400)
    assert.match(second.body, /This link is no longer valid/)
    assert.match(second.body, /target="_blank" rel="noopener">Return to the shop</)
    assert.equal((await payer.app.inject(at('redirect'))).json().error_code, 208002)
  })

  test('a form sent by GET keeps the query of its address as inputs', async (t) => {
    const payer = await scene(t, { stored: { ...stored, method: 'GET', params: { MD: '1' } } })
    const { body } = await payer.app.inject({ url: at('redirect'), headers: browsing() })
    assert.match(body, /<form method="get" action="https:\/\/acs\.example\.com\/start">/)
    assert.deepEqual(inputsOf(body), { lang: 'en', MD: '1' })
  })

  test('the address of a finished payment leads to the merchant', async (t) => {
    const payer = await scene(t, { stored, finished: true })
    const reply = await payer.app.inject({ url: at('redirect'), headers: browsing() })
    assert.deepEqual([reply.statusCode, reply.headers.location], [303, back])
  })

  test('only GET is served there', async (t) => {
    const payer = await scene(t, { stored })
    assert.equal((await post(payer, at('redirect'), {})).statusCode, 404)
  })
})

describe('every page', () => {
  const form = { url: 'http://acs.example.com/start', method: 'POST', params: {} } as const
  const shown: Readonly<Record<string, (payer: PayerScene) => Promise<{ headers: object; body: string }>>> = {
    collector: (payer) => payer.app.inject({ url: at('verify/3ds'), headers: browsing() }),
    form: (payer) => payer.app.inject({ url: at('redirect'), headers: browsing() }),
    continue: (payer) => post(payer, at('verify/3ds'), collected, browsing('iframe')),
    invalid: (payer) => payer.app.inject({ url: at('verify/3ds', transId, 'wrong'), headers: browsing() }),
    'way back': (payer) => post(payer, at('verify/3ds'), {}),
    'error body': (payer) => payer.app.inject(at('verify/3ds', transId, 'wrong')),
  }
  for (const [name, show] of Object.entries(shown)) {
    test(`${name}: neither kept nor passed on`, async (t) => {
      const reply = await show(await scene(t, { stored: form }))
      const headers: Record<string, unknown> = { ...reply.headers }
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['set-cookie'], undefined)
    })
  }

  for (const name of ['collector', 'form', 'continue', 'invalid']) {
    test(`${name}: its policy allows its own style and script, and nothing else`, async (t) => {
      const reply = await shown[name]?.(await scene(t, { stored: form }))
      const body = reply?.body ?? ''
      const policy = String({ ...(reply?.headers as Record<string, string>) }['content-security-policy'])
      for (const [, tag, text = ''] of body.matchAll(/<(style|script)>(.*?)<\/\1>/gs)) {
        assert.ok(policy.includes(`${tag}-src 'sha256-${hash('sha256', text, 'base64')}'`), tag)
      }
      assert.ok(policy.startsWith("default-src 'none'; "))
      assert.doesNotMatch(policy, /unsafe|\*/)
      assert.doesNotMatch(body, / (?:src|style|on[a-z]+)=/)
    })
  }

  test('a form may lead by https, and by http only where it does', async (t) => {
    const payer = await scene(t, { stored: form })
    const policyOf = async (path: string) =>
      String((await payer.app.inject({ url: at(path), headers: browsing() })).headers['content-security-policy'])
    assert.match(await policyOf('verify/3ds'), /form-action 'self' https:;/)
    assert.match(await policyOf('redirect'), /form-action 'self' https: http:;/)
  })

  test('a page without a form allows none', async (t) => {
    const payer = await scene(t)
    const reply = await post(payer, at('verify/3ds'), collected, browsing('iframe'))
    assert.match(String(reply.headers['content-security-policy']), /form-action 'none';/)
  })

  // biome-ignore format: a table is read in columns.
  const tongues = [
    // payer_language  lang       dir     title
    [ 'ar',            'ar',      'rtl',  'لحظة من فضلك'         ],
    [ 'sp',            'es',      'ltr',  'Un momento, por favor' ],
    [ 'zh-TW',         'zh-Hant', 'ltr',  '請稍候'                ],
    [ 'xx',            'en',      'ltr',  'One moment, please'    ],
  ] as const
  for (const [language, lang, dir, title] of tongues) {
    test(`speaks the payment's language, not the browser's: ${language}`, async (t) => {
      const payer = await scene(t, { language })
      const reply = await payer.app.inject({ url: at('verify/3ds'), headers: browsing() })
      assert.ok(reply.body.includes(`<html lang="${lang}" dir="${dir}">`))
      assert.ok(reply.body.includes(`<title>${title}</title>`))
      assert.equal(reply.headers['content-language'], lang)
    })
  }

  test('a payment without an address to return to ends on a page of ours', async (t) => {
    const payer = await scene(t, { facts: { termUrl: undefined } as never })
    const reply = await post(payer, at('verify/3ds'), collected, browsing())
    assert.equal(reply.statusCode, 200)
    assert.match(reply.body, /You can close this page/)
  })
})
