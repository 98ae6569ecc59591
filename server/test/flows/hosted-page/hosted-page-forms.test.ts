/** Merchants' own forms instead of the standard page. Chapter 30 §9.4. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type FormContext, moveForm, uploadForm } from '#server/setup/forms/forms.ts'
import { zipOf } from '#server/setup/forms/testing/zip-sample.ts'
import type { FormRecord } from '#server/store/configuration/forms.ts'
import { assertRows, CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { openShop } from '../../shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const checkout = new CheckoutClient(shop)
const context: FormContext = { ...shop.base, by: 'test' }
const merchantId = shop.service.configuration.byKey(shop.merchant().key)?.merchant.id ?? ''

const template = `<!doctype html>
{% block content %}<script>begin()</script>
<script src="/sdk/pay-session.js"></script>
<img src="{{ asset('summer/img/logo.svg', 'forms') }}">
<h1>{{ amount }} {{ currency }} {{ secret }}</h1>{% endblock %}`

async function approveForm(formId: string, text = template): Promise<FormRecord> {
  const archive = zipOf({ 'index.html.twig': text, 'img/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' })
  const uploaded = await uploadForm(context, { merchantId, formId, archive, baseUrl: shop.url })
  assert.ok(uploaded.ok, JSON.stringify(uploaded))
  const moved = await moveForm(context, uploaded.form, 'approved')
  assert.ok(moved.ok, JSON.stringify(moved))
  return moved.form
}

const page = async (payer: Payer) => {
  const reply = await fetch(`${shop.url}/auth/${payer.token}`)
  return { text: await reply.text(), policy: reply.headers.get('content-security-policy') ?? '' }
}

test('an approved form is shown at the usual address, with its own values and policy', async () => {
  const form = await approveForm('summer')
  const payer = await Payer.at(shop, { form_id: 'summer', order: { amount: '19.90' } })
  const { text, policy } = await page(payer)
  assert.match(text, /<h1>19\.90 EUR \{\{ secret \}\}<\/h1>/)
  assert.doesNotMatch(text, /\{%|block/)
  assert.match(text, new RegExp(`<img src="/forms/${form.id}/img/logo\\.svg">`))
  const files = `${shop.url}/forms/${form.id}/`
  assert.match(policy, new RegExp(`script-src ${files} ${shop.url}/sdk/ 'sha256-[^']+';`))
  const logo = await fetch(`${shop.url}/forms/${form.id}/img/logo.svg`)
  assert.equal(logo.headers.get('content-type'), 'image/svg+xml')
  assert.match(logo.headers.get('content-security-policy') ?? '', /sandbox/)
  assert.equal((await fetch(`${shop.url}/forms/${form.id}/img/none.svg`)).status, 404)
})

test('the session of a form is paid like any other, without terms', async () => {
  await approveForm('plain')
  await checkout.choose({ terms: { enabled: true } })
  const payer = await Payer.at(shop, { form_id: 'plain' })
  const answer = await payer.payAndExpectSuccess()
  await checkout.choose({})
  assert.equal(answer.result, 'success')
})

test('an unknown, draft or withdrawn form is refused', async () => {
  assertRows(await checkout.session({ form_id: 'nothing' }), ['form_id: This value is not correct.'])
  await uploadForm(context, { merchantId, formId: 'draft', archive: zipOf({ 'a.html': '' }), baseUrl: shop.url })
  assertRows(await checkout.session({ form_id: 'draft' }), ['form_id: This value is not correct.'])
})

test('if a form is withdrawn while a session is open, the standard page is shown', async () => {
  const form = await approveForm('brief')
  const payer = await Payer.at(shop, { form_id: 'brief' })
  assert.ok((await moveForm(context, form, 'withdrawn')).ok)
  assert.match((await page(payer)).text, /<div id="checkout"/)
  assert.equal((await fetch(`${shop.url}/forms/${form.id}/img/logo.svg`)).status, 404)
})

test('a new version replaces the one that was shown', async () => {
  const first = await approveForm('twice', '<p>first</p>')
  await approveForm('twice', '<p>second</p>')
  const payer = await Payer.at(shop, { form_id: 'twice' })
  assert.match((await page(payer)).text, /second/)
  assert.equal((await moveForm(context, first, 'withdrawn')).ok, false)
})

test('values in a form are text, whatever they contain', async () => {
  const { id } = await approveForm('quoted', `<img src="{{ asset('quoted/img/a"b.svg', 'forms') }}">`)
  const payer = await Payer.at(shop, { form_id: 'quoted' })
  const { text } = await page(payer)
  assert.doesNotMatch(text, new RegExp(`/forms/${id}/img/a"b`))
})
