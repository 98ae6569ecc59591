/** Every page of the panel with all its tabs is accessible, in both themes and on a phone. Chapter 50 §8. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Page, Route } from 'playwright-core'
import { createMid } from '#server/setup/mids.ts'
import { acquirerNotificationStore } from '#server/store/acquirers/notification-store.ts'
import { policyReportStore } from '#server/store/instance/policy-reports.ts'
import { type PageRow, pages } from '../../../../web/admin/pages/page-table.ts'
import { openAccount } from '../../account.ts'
import { Apm } from '../../apm.ts'
import { newSchedule, startChain } from '../../chains.ts'
import { merchantId } from '../../panel/admin.ts'
import { createEntities, type Params } from '../../panel/admin-entities.ts'
import { foreignNumbers } from '../../panel/foreign-numbers.ts'
import {
  checkPage,
  checkState,
  followTo,
  type PanelScene,
  panelScene,
  type Seat,
  waitUntilLoaded,
} from '../../panel/panel-scene.ts'
import { walkByTab } from '../../panel/tab-walk.ts'
import { paymentIn, waysInto } from '../../payments.ts'
import { enableWallet } from '../../wallets/wallet-device.ts'

let scene: PanelScene
let owner: Seat
let things: Params
before(async () => {
  scene = await panelScene()
  owner = await scene.seat()
  things = await furnish(scene)
})
after(() => scene.close())

/** Pages that are empty until a merchant is chosen. */
const choiceParameters: Readonly<Record<string, string>> = {
  '/mappings': 'merchantId',
  '/branding': 'merchantId',
  '/schedules': 'merchantId',
  '/routing': 'set',
}

for (const row of pages) {
  test(`the page ${row.path} passes with each of its tabs`, async () => {
    await owner.open(addressOf(row))
    const name = `page-${nameOf(row.path)}`
    await walkByTab(owner.page, name)
    await checkPage(owner.page, name)
    await glanceAtTabs(owner, name)
  })
}

test('numbers, amounts and days are written in the locale of the user', async () => {
  const { page, open } = await scene.seat({}, 'ar-EG')
  const found: string[] = []
  for (const row of pages) {
    await open(addressOf(row))
    for (const text of await page.evaluate<readonly string[]>(foreignNumbers)) found.push(`${row.path}: ${text}`)
  }
  assert.deepEqual(found, [])
})

test('payments of every kind show their outcome', async () => {
  const { page, open } = owner
  for (const status of ['PREPARE', 'REDIRECT', 'REVERSAL', 'DECLINED']) {
    await open(`/merchants/${things['merchantId']}/payments/${await paymentIn(scene.shop, status)}`)
    await checkState(page, `payment-${nameOf(status)}`)
  }
  const { body } = await new Apm(scene.shop).sale({ brand: 'bank-redirect' })
  await open(`/merchants/${things['merchantId']}/payments/${body.trans_id}?tab=method`)
  await checkState(page, 'payment-brand')
})

test('notifications are shown with the payment, and System names an acquirer that has stopped sending them', async () => {
  const { page, open } = owner
  const { base, service } = scene.shop
  const credentials = { merchant_account: 'ShopECOM', api_key: 'x'.repeat(20), hmac_key: '0'.repeat(64) }
  const mid = await createMid(base, { name: 'adyen-silent', connector: 'adyen', mode: 'live' }, credentials)
  await service.configuration.refresh()
  const paymentId = await paymentIn(scene.shop, 'SETTLED')
  await base.pool.query('update payments set mid_id = $2 where id = $1', [paymentId, mid.id])
  const store = acquirerNotificationStore(base.pool)
  const minutesAgo = (minutes: number): Date => new Date(base.clock.now().getTime() - minutes * 60_000)
  const event = {
    kind: 'arn',
    reference: 'E1',
    paymentId,
    transactionId: '0'.repeat(12),
    at: minutesAgo(90),
    arn: '7',
  } as const
  for (const minutes of [94, 93, 92, 91, 90]) {
    const events = minutes === 90 ? [event] : []
    await store.store({ midId: mid.id, id: `N${minutes}`, receivedAt: minutesAgo(minutes), events })
  }
  await store.countRefused({ midId: mid.id, at: minutesAgo(5), reason: 'The HMAC signature is missing or wrong.' })
  await base.pool.query(
    `insert into mid_answers (minute, mid_id, network, country, currency, approved, declined)
     values (date_trunc('minute', $2::timestamptz), $1, 'visa', 'DE', 'EUR', 3, 0)`,
    [mid.id, minutesAgo(10)],
  )
  await open('/system')
  await page.getByText('adyen-silent, needs attention').waitFor()
  await open('/system?tab=notifications')
  await page.getByText('longer than usual', { exact: true }).waitFor()
  await page.getByText('The HMAC signature is missing or wrong.').waitFor()
  await checkPage(page, 'system-notifications')
  await open(`/merchants/${things['merchantId']}/payments/${paymentId}`)
  await page.getByRole('table', { name: 'Notifications of the acquirer' }).getByText('arn').waitFor()
  await checkPage(page, 'payment-notifications')
})

test('recording a chargeback and revealing a card number ask for confirmation', async () => {
  const { page, open } = owner
  await open(`/merchants/${things['merchantId']}/payments/${await paymentIn(scene.shop, 'SETTLED')}?tab=method`)
  await page.getByRole('button', { name: 'Show number' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Show' }).click()
  await dialog.locator('.field.wrong .error').waitFor()
  await checkState(page, 'payment-number-question')
  await dialog.getByLabel('Reason').fill('The bank asks for it.')
  await dialog.getByRole('button', { name: 'Show' }).click()
  await page.getByText('4111111111111111').waitFor()
  await checkState(page, 'payment-number')
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

  await page.getByRole('button', { name: 'Record chargeback' }).click()
  await dialog.getByLabel('Acquirer’s reference').fill('CB-1')
  await dialog.getByRole('button', { name: 'Record chargeback' }).click()
  await dialog.locator('.field.wrong .error').first().waitFor()
  await checkState(page, 'payment-chargeback-question')
  await dialog.getByLabel('Bank date').fill('2026-11-02')
  await dialog.getByLabel('Reason').fill('10.4')
  await dialog.getByRole('button', { name: 'Record chargeback' }).click()
  await page.getByText('CHARGEBACK', { exact: true }).first().waitFor()
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await checkState(page, 'payment-chargeback')
})

test('a merchant without data is told how to get each kind', async () => {
  const merchant = await openAccount(scene.shop)
  const id = await merchantId(scene.shop, merchant)
  const { page, open } = await scene.seat({ role: 'merchant-admin', allMerchants: false, merchantIds: [id] })
  for (const path of [
    '/payments',
    '/captures',
    '/schedules',
    '/refused-tokens',
    '/callbacks',
    '/forms',
    '/approvals',
  ]) {
    await open(path)
    await page.locator('.empty').first().waitFor()
    await checkState(page, `empty-${nameOf(path)}`)
  }
})

test('an empty list names what its filter asks for', async () => {
  const { page, open } = owner
  const lists = ['/alerts', '/disputes', '/approvals', '/settlements/differences']
  for (const list of lists)
    await page.route(`**/admin/api${list}?*`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: emptied(await response.json()) })
    })
  for (const [path, text] of [
    ['/alerts', 'No open alerts.'],
    ['/disputes', 'No open disputes.'],
    ['/approvals', 'No requests.'],
    ['/settlements', 'No open differences.'],
    ['/alerts?all=true', 'No alerts.'],
    ['/disputes?all=true', 'No disputes.'],
    ['/approvals?state=refused', 'No refused requests.'],
    ['/settlements?all=true', 'No differences.'],
    ['/approvals?state=waiting', 'No requests are waiting for approval.'],
    ['/settlements?reportedBy=bank', 'No differences match these filters.'],
  ] as const) {
    await open(path)
    await page.locator('.empty-title').getByText(text, { exact: true }).waitFor()
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

for (const row of pages.filter(({ path }) => path !== '/terminal')) {
  test(`the page ${row.path} says that it loads, what to do if it could not, and that it is empty`, async () => {
    const { page } = owner
    const main = page.getByRole('main')
    const reads = await holdReads(page, row)
    await followTo(page, `${scene.shop.url}/admin${addressOf(row)}`)
    // Until the page itself is loaded, the frame shows lines as well.
    await reads.begun
    await main.locator('.skeleton-line').first().waitFor()
    if (row.path === '/mids') await checkState(page, 'page-under-way')
    await reads.refuse()
    const again = main.getByRole('alert').getByRole('button', { name: 'Try again' })
    await again.first().waitFor()
    if (row.path === '/mids') await checkState(page, 'page-not-read')
    reads.answer(hasEmptyText(row) ? emptied : (json) => json)
    await pressUntilGone(page, again)
    if (hasEmptyText(row)) assert.match(await main.locator('.empty').first().innerText(), /^(?!Nothing to show).+\.$/m)
    else await main.locator('.skeleton-line').first().waitFor({ state: 'detached' })
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}

/** A page that reads several things shows each fault when its answer has come. */
async function pressUntilGone(page: Page, again: Locator): Promise<void> {
  for (let round = 0; round < 5 && (await again.count()) > 0; round += 1) {
    await page.evaluate(`for (const button of document.querySelectorAll('main [role=alert] button')) button.click()`)
    await again
      .first()
      .waitFor({ state: 'detached', timeout: 2000 })
      .catch(() => undefined)
  }
  assert.equal(await again.count(), 0)
}

/** Pages of one thing, and lists that are never empty. */
const neverEmpty = ['/mappings', '/branding', '/users', '/roles', '/system', '/simulator']
const hasEmptyText = ({ path }: PageRow): boolean => !path.includes(':') && !neverEmpty.includes(path)

/** The same answer without rows. */
const emptied = (json: object): object =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name, Array.isArray(value) ? [] : value]))

/** Read for the frame of every page and for the choices of filters; two of them are pages as well. */
const usualReads = ['/session', '/approvals/waiting', '/merchants', '/mids', '/users', '/roles', '/reports/source']

/** What a page reads is not answered at first, then refused, then answered. */
async function holdReads(page: Page, { path: shown }: PageRow) {
  let held: Route[] | null = []
  const begun = Promise.withResolvers<void>()
  let act = (route: Route): Promise<void> => route.fulfill({ status: 500, json: { error: { code: 'internal' } } })
  await page.route('**/admin/api/**', async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/admin/api', '')
    if (usualReads.includes(path) && path !== shown) return route.fallback()
    if (held === null) return act(route)
    held.push(route)
    begun.resolve()
  })
  return {
    begun: begun.promise,
    refuse: async (): Promise<void> => {
      const waiting = held ?? []
      held = null
      await Promise.all(waiting.map(act))
    },
    answer: (change: (json: object) => object): void => {
      act = async (route) => {
        const response = await route.fetch()
        const isJson = /json/.test(response.headers()['content-type'] ?? '')
        await route.fulfill({ response, ...(isJson ? { json: change(await response.json()) } : {}) })
      }
    },
  }
}

function addressOf({ path }: PageRow): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => things[name] ?? '')
  const parameter = choiceParameters[path]
  return parameter === undefined ? filled : `${filled}?${parameter}=${things['merchantId']}`
}

/** From the last to the first, so that tabs inside a tab, which come after it, are seen while it is open. */
async function glanceAtTabs({ page }: Seat, name: string): Promise<void> {
  const seen = new Set<string>()
  for (;;) {
    for (const open of await page.locator('[role=tab][aria-selected=true]').allInnerTexts()) seen.add(open)
    const next = (await page.getByRole('tab').allInnerTexts()).findLast((title) => !seen.has(title))
    if (next === undefined) return
    await page.getByRole('tab', { name: next, exact: true }).click()
    await waitUntilLoaded(page)
    await checkState(page, `${name}-${nameOf(next)}`)
  }
}

/** As the screenshot is named. */
const nameOf = (text: string): string =>
  text
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-') ?? 'home'

/** Creates something of every kind, so that no list is empty. */
async function furnish({ shop }: PanelScene): Promise<Params> {
  const demo = await merchantId(shop, 'demo')
  for (const status of Object.keys(waysInto)) await paymentIn(shop, status)
  await startChain(shop, { schedule_id: await newSchedule(shop) })
  const device = await enableWallet(shop, { wallet: 'walletapay' })
  await device.pay({ fault: 'wrong-amount' })
  await device.pay()
  await shop.base.pool.query(
    `insert into alerts (id, kind, merchant_id, payment_id, text, raised_at)
     values ($1, 'mid-failing', null, null, 'sandbox-live fails: 9 of 10 exchanges came to nothing.', now())`,
    [shop.base.ids.next()],
  )
  await policyReportStore(shop.base.pool, shop.base.clock).add({
    rule: 'script-src-elem',
    blocked: 'https://thief.example',
    page: 'pay.example.com/auth/',
    source: 'https://pay.example.com/web/checkout-ABCDEFGH.js',
  })
  return (await createEntities(shop, [demo]))(demo)
}
