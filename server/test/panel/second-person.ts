/** What a second person does in the panel with a request of the first. */
import type { Locator, Page } from 'playwright-core'
import { checkState, type Seat } from './panel-scene.ts'

export const dialogOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true })

interface Request {
  readonly title: string
  /** What its drawer shows before the decision. */
  readonly texts: readonly (string | RegExp)[]
  /** As the screenshot is named. */
  readonly name: string
}

/** Opens the only request that waits, sees what it is about, and approves it. */
export async function approveAs(seat: Seat, { title, texts, name }: Request): Promise<void> {
  const { page } = seat
  await seat.open('/approvals?state=waiting')
  await page.getByRole('row', { name: title }).getByRole('button', { name: 'View' }).click()
  const drawer = dialogOf(page, title)
  for (const text of texts) await drawer.getByText(text).first().waitFor()
  await checkState(page, name)
  await drawer.getByRole('button', { name: 'Approve' }).click()
  await dialogOf(page, 'Approve request?').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('The request is done.').last().waitFor()
  await page.getByText('No requests are waiting for approval.').waitFor()
}
