// Written from chapter 10 §12, "3DS page".
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openIssuer, returnUrl, type TestIssuer } from './testing/test-issuer.ts'

async function startChallenge(issuer: TestIssuer, fields: object = {}): Promise<Record<string, string>> {
  const { body } = await issuer.authenticate('05/2038', fields)
  return { PaReq: body.pareq, MD: 'p-1', TermUrl: returnUrl }
}

test('the page shows merchant, amount and masked card, and posts MD with the payer’s choice to TermUrl', async (t) => {
  const issuer = await openIssuer(t)
  const { status, headers, text: page } = await issuer.visit(await startChallenge(issuer))
  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
  for (const text of ['Example Shop', '10.00 EUR', '411111******1111']) assert.ok(page.includes(text), text)
  assert.doesNotMatch(page, /4111111111111111/)
  assert.ok(page.includes(`<form method="post" action="${returnUrl}">`))
  assert.match(page, /<input type="hidden" name="MD" value="p-1">/)
  assert.match(page, /<button [^>]*name="PaRes" value="approve">Approve<\/button>/)
  assert.match(page, /<button [^>]*name="PaRes" value="decline">Decline<\/button>/)
})

test('Leave shows a message and sends nothing', async (t) => {
  const issuer = await openIssuer(t)
  const { text: page } = await issuer.visit(await startChallenge(issuer))
  const [, action] = /<form method="get" action="([^"]*)">[\s\S]*Leave<\/button>/.exec(page) ?? []
  const { pathname } = new URL(action ?? '', 'https://pay.example.com/sandbox/acs')
  const left = await issuer.get(`${pathname}?language=en`)
  assert.equal(left.status, 200)
  assert.match(left.text, /You left the page; nothing was sent\./)
  assert.doesNotMatch(left.text, /<form|<script|http-equiv/)
  assert.equal((await issuer.get('/3ds/authentications?payment_id=p-1')).body.authentications[0]?.transStatus, 'C')
})

test('viewing the page decides nothing', async (t) => {
  const issuer = await openIssuer(t)
  const form = await startChallenge(issuer)
  await issuer.visit(form)
  await issuer.visit(form)
  assert.equal((await issuer.get('/3ds/authentications?payment_id=p-1')).body.authentications[0]?.transStatus, 'C')
})

// biome-ignore format: a table is read in columns.
const languages = [
  // sent       lang       dir    a word of it
  [ 'de',       'de',      'ltr', 'Genehmigen' ],
  [ 'es',       'es',      'ltr', 'Aprobar'    ],
  [ 'ar',       'ar',      'rtl', 'موافقة'     ],
  [ 'zh-Hant',  'zh-Hant', 'ltr', '核准'        ],
  [ 'xx',       'en',      'ltr', 'Approve'    ],
  [ undefined,  'en',      'ltr', 'Approve'    ],
] as const

for (const [language, lang, dir, word] of languages) {
  test(`a payer whose language is ${language ?? 'unknown'} sees ${lang}`, async (t) => {
    const issuer = await openIssuer(t)
    const { text: page, headers } = await issuer.visit(await startChallenge(issuer, { language }))
    assert.ok(page.includes(`<html lang="${lang}" dir="${dir}">`))
    assert.equal(headers.get('content-language'), lang)
    assert.ok(page.includes(word))
    assert.ok((await issuer.get(`/sandbox/acs/left?language=${lang}`)).text.includes(`lang="${lang}"`))
  })
}

test('the page loads nothing, runs no script, and allows only its own style', async (t) => {
  const issuer = await openIssuer(t)
  const { headers, text: page } = await issuer.visit(await startChallenge(issuer))
  const rules = headers.get('content-security-policy') ?? ''
  assert.match(rules, /^default-src 'none'; style-src 'sha256-[\w+/]+=*';/)
  assert.doesNotMatch(rules, /unsafe/)
  assert.doesNotMatch(page, /<script|<link|<img|<iframe|@import|url\(|\son\w+=|\sstyle=/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('referrer-policy'), 'same-origin')
})

test('a merchant’s name cannot inject markup into the page', async (t) => {
  const issuer = await openIssuer(t)
  const { text: page } = await issuer.visit(await startChallenge(issuer, { merchantName: `<b onclick='x'>"&` }))
  assert.ok(!page.includes('<b onclick'))
  assert.ok(page.includes('&#60;b onclick=&#39;x&#39;&#62;&#34;&#38;'))
})

test('an unknown merchant is left out', async (t) => {
  const issuer = await openIssuer(t)
  const { text: page } = await issuer.visit(await startChallenge(issuer, { merchantName: undefined }))
  assert.doesNotMatch(page, /Merchant/)
})

// biome-ignore format: a table is read in columns.
const alteredRequests = [
  // title                        changed fields
  [ 'another return address',     { TermUrl: 'https://evil.example/' } ],
  [ 'a script as return address', { TermUrl: 'javascript:alert(1)' } ],
  [ 'no return address',          { TermUrl: '' } ],
  [ 'another payment',            { MD: 'p-2' } ],
  [ 'a made-up PaReq',            { PaReq: 'eJxVUs1u' } ],
  [ 'a PaReq that is null',       { PaReq: Buffer.from('null').toString('base64url') } ],
  [ 'no PaReq',                   { PaReq: '' } ],
] as const

for (const [title, fields] of alteredRequests) {
  test(`${title} gets a page without a form`, async (t) => {
    const issuer = await openIssuer(t)
    const { status, text: page } = await issuer.visit({ ...(await startChallenge(issuer)), ...fields })
    assert.equal(status, 400)
    assert.match(page, /This page is not valid\./)
    assert.doesNotMatch(page, /<form|evil|javascript/)
  })
}

test('a PaReq with a guessed identifier is refused', async (t) => {
  const issuer = await openIssuer(t)
  const form = await startChallenge(issuer)
  const creq = JSON.parse(Buffer.from(form['PaReq'] ?? '', 'base64url').toString())
  const guessed = { ...creq, acsTransID: creq.threeDSServerTransID }
  const PaReq = Buffer.from(JSON.stringify(guessed)).toString('base64url')
  assert.equal((await issuer.visit({ ...form, PaReq })).status, 400)
})
