/** The sample form of the Checkout SDK in a browser, with the real service behind. Chapter 30 §9. */
import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { CheckoutClient } from './checkout.ts'
import type { ShopFront } from './shop-front.ts'
import type { Tabs } from './tabs.ts'

interface OpenedForm {
  readonly page: Page
  /** Errors in the browser's console. */
  readonly complaints: readonly string[]
}

interface FormScene {
  link(over?: Readonly<Record<string, unknown>>): Promise<string>
  open(address: string, options?: BrowserContextOptions): Promise<OpenedForm>
  /** The sample form of a new session, loaded. */
  form(over?: Readonly<Record<string, unknown>>, options?: BrowserContextOptions): Promise<OpenedForm>
}

interface FormSceneParts {
  readonly checkout: CheckoutClient
  readonly front: ShopFront
  readonly tabs: Tabs
}

export function formScene({ checkout, front, tabs }: FormSceneParts): FormScene {
  const link: FormScene['link'] = async (over = {}) => {
    const urls = { success_url: `${front.url}/return?as=success`, cancel_url: `${front.url}/return?as=cancel` }
    const answer = await checkout.session({ ...urls, form_id: 'sample-form', ...over })
    assert.equal(answer.http, 200, answer.text)
    return answer.body.redirect_url
  }
  const open: FormScene['open'] = async (address, options = {}) => {
    const page = await tabs.open(options)
    const complaints: string[] = []
    page.on('console', (message) => {
      const isOurs = !message.location().url.startsWith(front.url)
      if (isOurs && message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    await page.goto(address)
    return { page, complaints }
  }
  const form: FormScene['form'] = async (over, options) => {
    const opened = await open((await link(over)).replace('127.0.0.1', 'localhost'), options)
    await opened.page.locator('#order:not(:empty)').waitFor()
    return opened
  }
  return { link, open, form }
}

export const waitUntilBack = (page: Page, as: string): Promise<void> =>
  page.waitForURL((url) => url.pathname === '/return' && url.searchParams.get('as') === as)

export const paymentIn = (page: Page): string => new URL(page.url()).searchParams.get('payment_id') ?? ''

/** A second session object on the form's page, to query it. */
export const askSession = <T>(page: Page, question: string): Promise<T> =>
  page.evaluate(`(async () => {
    const session = new PaySession({ formName: 'none' })
    session.onSuccess = () => undefined
    await session.begin()
    return ${question}
  })()`)
