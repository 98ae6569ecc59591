/** Checkout branding, merchants' own forms, and consents in the panel. Chapters 30 §7.1, §7.5, §9.4 and 50 §8. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { zipOf } from '#server/setup/forms/testing/zip-sample.ts'
import { until } from '../../callbacks/callback-scene.ts'
import { CheckoutClient } from '../../pages/checkout.ts'
import { Payer } from '../../pages/hosted-page.ts'
import { merchantId, panelOf } from '../../panel/admin.ts'
import {
  checkPage,
  checkState,
  type PanelScene,
  panelScene,
  type Seat,
  waitUntilLoaded,
} from '../../panel/panel-scene.ts'

let scene: PanelScene
let operator: Seat
let demo: string
before(async () => {
  scene = await panelScene()
  operator = await scene.seat()
  demo = await merchantId(scene.shop, 'demo')
})
after(() => scene.close())

/** The frame's left and right border. */
const borders = 2

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="120" height="40" rx="8" fill="#b45309"/></svg>'

/** There is no button while the frame reloads. */
const colourOfPay = `(() => {
  const pay = document.querySelector('iframe')?.contentDocument?.querySelector('.pay')
  return pay ? getComputedStyle(pay).backgroundColor : ''
})()`

test('the preview follows the input, unreadable colours are reported at once, and the branding is saved and reset', async () => {
  const { page, open, client } = operator
  await open(`/branding?merchantId=${demo}`)
  const preview = page.frameLocator('iframe[title="Preview of the hosted page"]')
  await preview.locator('.pay').waitFor()
  await page.getByLabel('Button', { exact: true }).fill('#0b6b3a')
  await page.locator('iframe[src*="button=%230b6b3a"]').waitFor()
  await until(async () => (await page.evaluate(colourOfPay)) === 'rgb(11, 107, 58)')
  await page.getByLabel('Background', { exact: true }).fill('#fff7e6')
  await page.getByLabel('Heading', { exact: true }).fill('#ffe0a0')
  await page.getByText(/has a contrast of 1\.\d+:1/).waitFor()
  await page.getByLabel('Heading', { exact: true }).fill('#5b2c00')
  await page.getByLabel('Template').selectOption('split')
  await page
    .getByLabel('Logo')
    .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(logo) })
  await page.getByAltText('Selected logo').waitFor()
  await preview.locator('.logo[src^="data:image/svg+xml"]').waitFor()
  assert.equal((await client.get(`/merchants/${demo}/branding`)).body.branding, null)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Branding saved. Payers see it now.').waitFor()
  await page.getByAltText('Current logo').waitFor()
  await preview.locator('.logo').waitFor()
  await checkState(page, 'branding')
  const { branding } = (await client.get(`/merchants/${demo}/branding`)).body
  assert.deepEqual([branding.template, branding.colours.heading], ['split', '#5b2c00'])

  await page.getByRole('button', { name: 'Phone' }).click()
  assert.equal(await page.locator('iframe').evaluate((frame) => frame.clientWidth), 360 - borders)
  await page.getByRole('button', { name: 'Reset' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await page.getByText('Branding reset.').waitFor()
  assert.equal((await client.get(`/merchants/${demo}/branding`)).body.branding, null)
})

test('a form is uploaded, returned with a reason that its merchant sees, and approved', async () => {
  const rights = { role: 'merchant-admin', allMerchants: false, merchantIds: [demo] }
  const merchant = await scene.seat(rights)
  await merchant.open('/forms')
  await merchant.page.getByRole('button', { name: 'Upload form' }).click()
  await merchant.page.getByLabel('Name').fill('summer')
  const upload = merchant.page.getByLabel('Archive')
  await upload.setInputFiles({ name: 'summer.zip', mimeType: 'application/zip', buffer: Buffer.from('no archive') })
  await merchant.page.getByRole('button', { name: 'Upload', exact: true }).click()
  await merchant.page.locator('.field.wrong .error').waitFor()
  await checkState(merchant.page, 'form-upload')
  const template =
    '<style>p { color: navy }</style>\n<p>Pay {{ amount }} {{ currency }}</p>\n<script>document.title = "Pay"</script>'
  const buffer = zipOf({ 'summer.html': template, 'img/sun.svg': logo })
  await upload.setInputFiles({ name: 'summer.zip', mimeType: 'application/zip', buffer })
  await merchant.page.getByRole('button', { name: 'Upload', exact: true }).click()
  await merchant.page.getByRole('button', { name: 'Submit for review' }).click()
  await merchant.page.getByText('Submitted for review.').waitFor()
  assert.equal(await merchant.page.getByRole('button', { name: 'Approve' }).count(), 0)

  const { page, open } = operator
  await open('/forms?state=in%20review')
  await checkState(page, 'forms')
  await page.getByRole('row', { name: 'summer' }).getByRole('button', { name: 'View' }).click()
  await page.getByText('1 script or handler and 1 style will be allowed').waitFor()
  await checkPage(page, 'form')
  await page.getByRole('button', { name: 'Return' }).click()
  const question = page.getByRole('dialog', { name: 'Return form?' })
  await question.getByRole('button', { name: 'Return' }).click()
  await question.getByText('Enter a reason.').waitFor()
  await checkState(page, 'form-back')
  await question.getByLabel('Reason').fill('Navy is not a summer colour.')
  await question.getByRole('button', { name: 'Return' }).click()
  await page.getByText('Form returned to draft with your reason.').waitFor()

  await merchant.open('/forms')
  await merchant.page.getByRole('row', { name: 'summer' }).getByRole('button', { name: 'View' }).click()
  await merchant.page.getByText('Navy is not a summer colour.').waitFor()
  await merchant.page.getByRole('button', { name: 'Submit for review' }).click()
  await merchant.page.getByText('Submitted for review.').waitFor()

  await open('/forms?state=in%20review')
  await page.getByRole('row', { name: 'summer' }).getByRole('button', { name: 'View' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  await checkState(page, 'form-approve')
  await page.getByRole('dialog', { name: 'Approve form?' }).getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approved. Payers now see version 1 of summer.').waitFor()
  const { forms } = (await operator.client.get(`/merchants/${demo}/forms`)).body
  assert.equal(forms[0].state, 'approved')
})

test('a reviewer sees every file, the changes since the approved version, and the lines to check', async () => {
  const uploader = await panelOf(scene.shop)
  const script = Array.from({ length: 40 }, (_, at) => `step(${at})`)
  const upload = async (lines: readonly string[]) => {
    const files = { 'winter.html': '<p>Pay</p>', 'js/form.js': lines.join('\n'), 'img/sun.svg': logo }
    const body = { formId: 'winter', archive: zipOf(files).toString('base64') }
    return (await uploader.post(`/merchants/${demo}/forms`, body)).body.form.id
  }
  const first = `/merchants/${demo}/forms/${await upload(script)}`
  const { digest } = (await operator.client.get(`${first}/code`)).body
  assert.equal((await operator.client.post(`${first}/review`, { decision: 'approve', digest })).http, 200)
  // Longer than any window is wide, like minified code.
  const second = await upload(script.with(20, `fetch('/admin/api/session') // ${'and so on, '.repeat(40)}`))

  const { page, open } = operator
  await open('/forms?state=draft')
  await page.getByRole('row', { name: 'winter' }).getByRole('button', { name: 'View' }).click()
  await page.getByText('Compared with version 1').waitFor()
  await page.getByText('js/form.js, line 21: refers to the panel; sends a request').waitFor()
  const changes = page.getByRole('region', { name: 'Changes of js/form.js' })
  assert.equal(await changes.locator('.removed').count(), 1)
  assert.match((await changes.locator('.added').textContent()) ?? '', /21\+ fetch\('\/admin\/api\/session'\)/)
  const { digest: shown } = (await operator.client.get(`/merchants/${demo}/forms/${second}/code`)).body
  await page.getByText(`Digest: ${shown}`).waitFor()
  await checkPage(page, 'form-code')
  await page.getByRole('button', { name: 'Show whole file' }).click()
  const whole = page.getByRole('region', { name: 'Code of js/form.js' })
  assert.equal(await whole.locator('.line').count(), 40)
  assert.equal(await whole.locator('.found').count(), 1)
  await checkState(page, 'form-code-whole')
})

test('a payer’s consent is listed with its merchant, and withdrawn on request', async () => {
  const { page, open } = operator
  const { id } = await new CheckoutClient(scene.shop).schedule()
  const plan = { recurring_init: true, schedule_id: id, recurring_consent_required: true }
  await (await Payer.at(scene.shop, plan)).payAndExpectSuccess({ consent: true })
  await open(`/merchants/${demo}?tab=consents`)
  await waitUntilLoaded(page)
  await checkPage(page, 'merchant-consents')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('Consent withdrawn; its plan has ended.').waitFor()
  await page.getByRole('row').getByText('cancelled').waitFor()
})
