/** Setting up a merchant in the panel: secrets, MIDs, protocols, and wallet A in both setups. Chapters 40 §2 to §8 and 50 §8. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  checkPage,
  checkState,
  type PanelScene,
  panelScene,
  type Seat,
  waitUntilLoaded,
} from '../../panel/panel-scene.ts'
import { pairOf } from '../../wallets/wallet-setup.ts'

let scene: PanelScene
let operator: Seat
let merchantId: string
before(async () => {
  scene = await panelScene()
  operator = await scene.seat()
})
after(() => scene.close())

const identifier = 'merchant.example.lamps'

async function openTab(title: string): Promise<void> {
  await operator.page.getByRole('tab', { name: title, exact: true }).click()
  await waitUntilLoaded(operator.page)
}

test('a merchant is created with secrets that are shown once, gets a MID and a protocol, and takes a payment', async () => {
  const { page, open, client } = operator
  await open('/merchants')
  await checkState(page, 'merchants')
  await page.getByRole('button', { name: 'New merchant' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Lamps and more')
  await dialog.getByLabel('Name').fill('Not a name')
  await dialog.getByRole('button', { name: 'Create merchant' }).click()
  await dialog.locator('.field.wrong .error').waitFor()
  await checkState(page, 'merchant-new')
  await dialog.getByLabel('Name').fill('lamps')
  await dialog.getByRole('button', { name: 'Create merchant' }).click()
  await dialog.getByRole('button', { name: 'I have saved it' }).waitFor()
  await checkState(page, 'merchant-made')
  const [key = '', testKey = '', password = ''] = await dialog.locator('dd').allInnerTexts()
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Lamps and more' }).waitFor()
  merchantId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  scene.shop.merchants.set('lamps', {
    name: 'lamps',
    key: key.trim(),
    test_key: testKey.trim(),
    password: password.trim(),
  })
  await checkPage(page, 'merchant-general')

  await openTab('MIDs')
  await page.getByRole('button', { name: 'Map MID' }).click()
  const mids: { id: string; mode: string; connector: string }[] = (await client.get('/mids')).body.mids
  await page.getByLabel('MID', { exact: true }).selectOption(mids.find(({ mode }) => mode === 'live')?.id ?? '')
  await checkPage(page, 'merchant-mid-form')
  await page.getByRole('dialog').getByRole('button', { name: 'Map MID' }).click()
  await page.getByText('MID mapped.').waitFor()
  await checkPage(page, 'merchant-mids')

  await openTab('Protocols')
  assert.ok(await page.getByRole('checkbox', { name: 'Enabled', exact: true }).isChecked())
  assert.equal((await scene.shop.sale({}, { merchant: 'lamps' })).body.result, 'SUCCESS')
})

test('a changed option of a protocol mapping takes effect in the next status answer', async () => {
  const { page, open } = operator
  const { trans_id } = (await scene.shop.sale({}, { merchant: 'lamps' })).body
  const status = async () => (await scene.shop.followUp('GET_TRANS_STATUS', trans_id, {}, { merchant: 'lamps' })).body
  assert.equal((await status()).rrn, undefined)
  await open(`/mappings?merchantId=${merchantId}`)
  await page.getByLabel('rrn (acquirer)').last().check()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Mapping saved.').waitFor()
  assert.ok((await status()).rrn)
  await checkState(page, 'mappings')
  await openTab('Checkout')
  await checkPage(page, 'mappings-checkout')
})

test('without an overlap a rotated password replaces the old one at once', async () => {
  const { page, open } = operator
  await open(`/merchants/${merchantId}?tab=keys`)
  await checkPage(page, 'merchant-keys')
  await page.getByRole('button', { name: 'Rotate password' }).click()
  await page.getByLabel('Hours until the old password stops working').fill('0')
  await checkState(page, 'merchant-rotate')
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click()
  const dialog = page.getByRole('dialog', { name: 'New password' })
  const password = (await dialog.locator('dd').innerText()).trim()
  await dialog.getByRole('button', { name: 'I have saved it' }).click()
  assert.equal((await scene.shop.sale({}, { merchant: 'lamps' })).body.result, 'ERROR')
  scene.shop.merchants.set('lamps', { ...scene.shop.merchant('lamps'), password })
  assert.equal((await scene.shop.sale({}, { merchant: 'lamps' })).body.result, 'SUCCESS')
})

test('faults of addresses are shown at their fields', async () => {
  const { page, open } = operator
  await open(`/merchants/${merchantId}?tab=addresses`)
  await page.getByLabel('Allowed IP addresses').fill('203.0.113.0/24\nnowhere')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.locator('.field.wrong .error').waitFor()
  await checkPage(page, 'merchant-addresses')
  await page.getByLabel('Allowed IP addresses').fill('')
})

test('with an account of its own, each invalid key and certificate is explained while it is typed', async () => {
  const { page, open } = operator
  await open(`/merchants/${merchantId}?tab=wallets`)
  await page.getByLabel('Setup').selectOption('own_account')
  await page.getByLabel('Merchant identifier').fill(identifier)
  await page.getByLabel('Shop name').fill('Lamps and more')
  await page.getByLabel('Country').fill('DE')
  await page.getByLabel('supports3DS').check()
  await page.getByLabel('visa', { exact: true }).check()
  const own = pairOf('panel identity', { identifier })
  const certificate = page.getByLabel('Certificate', { exact: true })
  const key = page.getByLabel('Private key', { exact: true })

  await key.fill(own.privateKey)
  await certificate.fill(pairOf('panel other', { identifier }).certificate)
  await page.getByText('The certificate does not belong to the key.').waitFor()
  await checkPage(page, 'merchant-wallet-faults')
  await certificate.fill(pairOf('panel identity', { identifier, until: '2025-06-01T00:00:00Z' }).certificate)
  await page.getByText('The certificate expired on 2025-06-01.').waitFor()
  await certificate.fill(pairOf('panel identity', { identifier: 'merchant.example.shoes' }).certificate)
  await page.getByText('The certificate was issued for another merchant identifier.').waitFor()
  await key.fill(own.certificate)
  await page.getByText('This is a certificate, not a private key.').waitFor()

  await certificate.fill(own.certificate)
  await key.fill(own.privateKey)
  const processing = pairOf('panel processing', { identifier })
  await page.getByLabel('Processing private key').fill(processing.privateKey.replace(/(.{64})/g, '$1\n'))
  await page.getByLabel('Processing certificate').fill(processing.certificate)
  await page.getByText('All entries are valid.').waitFor()
  await page.getByText('White space was removed.').waitFor()
  await page.getByRole('button', { name: 'Set up wallet' }).click()
  await page.getByText('Wallet saved.').waitFor()
  await page.getByRole('row', { name: 'processing' }).getByText('days left').waitFor()
  await page.getByLabel('Page host').fill('lamps.example')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('Missing: no mid.').waitFor()
  await checkState(page, 'merchant-wallet-why')
})

test('domains are added in a batch, and an invalid line is reported while the others are added', async () => {
  const { page, open } = operator
  await open(`/merchants/${merchantId}?tab=wallets`)
  await page.getByLabel('Domains, one per line').fill('shop.lamps.example\nnot a domain\npay.lamps.example')
  await page.getByRole('button', { name: 'Add domains' }).click()
  await page.getByText('not a domain: invalid. This value is not valid.').waitFor()
  await checkState(page, 'merchant-wallet-domains')
  await page.getByRole('row', { name: 'pay.lamps.example' }).waitFor()
  await page
    .getByRole('row', { name: 'shop.lamps.example' })
    .getByLabel('Upload file')
    .setInputFiles({ name: 'association', mimeType: 'text/plain', buffer: Buffer.from('the file of the maker') })
  await page.getByText('The file for shop.lamps.example is now served.').waitFor()
  await page.getByRole('row', { name: 'shop.lamps.example' }).getByText('file ready').waitFor()
})

test('a second key overlaps with the first, and is promoted', async () => {
  const { page, open } = operator
  const next = pairOf('panel processing 2', { identifier })
  await open(`/merchants/${merchantId}?tab=wallets`)
  await page.getByRole('button', { name: 'Add key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Source').selectOption('paste')
  await dialog.getByLabel('Private key').fill(next.privateKey)
  await dialog.getByLabel('Certificate').fill(pairOf('panel other', { identifier }).certificate)
  await dialog.getByRole('button', { name: 'Add' }).click()
  await dialog.getByText('The certificate does not belong to the key.').waitFor()
  await checkPage(page, 'merchant-new-key')
  await dialog.getByLabel('Certificate').fill(next.certificate)
  await dialog.getByRole('button', { name: 'Add' }).click()
  const row = page.getByRole('row', { name: next.fingerprint.slice(0, 16) })
  await row.getByRole('button', { name: 'Promote' }).click()
  await row.getByText('current', { exact: true }).waitFor()
  await page.getByRole('row', { name: 'retiring' }).waitFor()
  await checkPage(page, 'merchant-wallet-own')
  await page.getByRole('tab', { name: 'Wallet B' }).click()
  await waitUntilLoaded(page)
  await checkPage(page, 'merchant-wallet-b')
})

test('platform setup: the operator’s record once, then the tasks of each merchant until all are done', async () => {
  const { page, open } = operator
  const platform = 'merchant.example.platform'
  await open('/platform-wallet')
  await page.getByLabel('Merchant identifier').fill(platform)
  const identity = pairOf('platform identity', { identifier: platform })
  await page
    .getByLabel('Certificate', { exact: true })
    .fill(pairOf('panel other', { identifier: platform }).certificate)
  await page.getByLabel('Private key', { exact: true }).fill(identity.privateKey)
  await page.getByText('The certificate does not belong to the key.').waitFor()
  await page.getByLabel('Certificate', { exact: true }).fill(identity.certificate)
  await page.getByLabel('Processing private key').fill(pairOf('platform processing').privateKey)
  await page.getByText('All entries are valid.').waitFor()
  await page.getByRole('button', { name: 'Create record' }).click()
  await page.getByText('Record saved.').waitFor()
  const file = { name: 'association', mimeType: 'text/plain', buffer: Buffer.from('the file of the platform') }
  await page.getByLabel('Upload file').setInputFiles(file)
  await page.getByLabel('Replace file').waitFor()
  await checkState(page, 'platform-wallet')

  const { merchant } = (await operator.client.post('/merchants', { name: 'chairs', title: 'Chairs' })).body
  await open(`/merchants/${merchant.id}?tab=wallets`)
  await page.getByLabel('Shop name').fill('Chairs')
  await page.getByLabel('Country').fill('XX')
  await page.getByText('This value is not valid.').waitFor()
  await page.getByLabel('Country').fill('DE')
  await page.getByRole('button', { name: 'Set up wallet' }).click()
  await page.getByText('Still missing: a domain').first().waitFor()
  await page.getByLabel('Domains, one per line').fill('chairs.example')
  await page.getByRole('button', { name: 'Add domains' }).click()
  await page.getByRole('row', { name: 'chairs.example' }).waitFor()
  await page.getByRole('button', { name: 'Register with the simulator' }).click()
  await page.getByText('are registered with the simulated wallet provider').waitFor()
  await checkPage(page, 'merchant-wallet-platform')
})

test('consents and users of a merchant are listed, or the page says how to get them', async () => {
  const { page, open } = operator
  await open(`/merchants/${merchantId}?tab=consents`)
  await page.getByText('No consents yet.').waitFor()
  await open(`/merchants/${merchantId}?tab=people`)
  await checkPage(page, 'merchant-people')
})

test('a user who may only read sees no actions', async () => {
  const { page, open } = await scene.seat({ role: 'auditor' })
  for (const tab of ['general', 'keys', 'wallets', 'mids', 'protocols']) {
    await open(`/merchants/${merchantId}?tab=${tab}`)
    const names = await page.getByRole('main').getByRole('button', { disabled: false }).allInnerTexts()
    const changing = names.filter((name) => /Save|Add|Rotate|Promote|Retire|Remove|Map|Make|Set|Register/.test(name))
    assert.deepEqual(changing, [], tab)
  }
})
