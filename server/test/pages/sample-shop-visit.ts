/** What a customer does in a sample shop. */
import type { Page } from 'playwright-core'
import type { Shop } from '../shop.ts'

export async function payOnHostedPage(page: Page, expiry = '01/38'): Promise<void> {
  await page.waitForURL((url) => url.pathname.startsWith('/auth/'))
  await page.getByLabel('Card number').fill('4111111111111111')
  await page.getByLabel('Expiry date').fill(expiry)
  await page.getByLabel('Security code').fill('123')
  const consent = page.getByRole('checkbox')
  if ((await consent.count()) > 0) await consent.check()
  await page.locator('button[type=submit]').click()
}

/** The order's page shows the state once its callback is delivered. */
export async function waitForOrder(page: Page, shop: Shop, state: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === '/order')
  await shop.service.awaitIdle()
  await page.reload()
  await page.locator('strong', { hasText: new RegExp(`^${state}$`) }).waitFor()
}
