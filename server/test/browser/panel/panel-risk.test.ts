/** Risk lists in the panel, as an operator and as support use them. Chapter 70 §7. */
import { after, before, test } from 'node:test'
import { checkState, type PanelScene, panelScene, type Seat } from '../../panel/panel-scene.ts'

let scene: PanelScene
let operator: Seat
before(async () => {
  scene = await panelScene()
  operator = await scene.seat({ role: 'operator' })
})
after(() => scene.close())

test('an entry is added after its fault was shown, found by a filter and removed', async () => {
  const { page, open } = operator
  await open('/risk')
  await page.getByText('No entries.').waitFor()
  await checkState(page, 'risk-empty')
  await page.getByRole('button', { name: 'Add entry' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Kind').selectOption('ip')
  await dialog.getByLabel('Value').fill('300.1.1.1')
  await dialog.getByLabel('Reason').fill('card testing')
  await dialog.getByRole('button', { name: 'Add entry' }).click()
  await dialog.getByText('The value must be an IP address, or a range such as 203.0.113.0/24.').waitFor()
  await checkState(page, 'risk-add')
  await dialog.getByLabel('Value').fill('203.0.113.0/24')
  await dialog.getByRole('button', { name: 'Add entry' }).click()
  await page.getByText('Added to the list “Block”.').waitFor()
  await page.getByLabel('Kind').selectOption('ip')
  await page.getByRole('row', { name: '203.0.113.0/24' }).waitFor()
  await checkState(page, 'risk')
  await page.getByRole('row', { name: '203.0.113.0/24' }).getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('button', { name: 'Remove entry' }).click()
  await page.getByText('No entries match these filters.').waitFor()
})

test('a file with a fault is refused by line', async () => {
  const { page, open } = operator
  await open('/risk')
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  const content = 'merchant,list,kind,value,reason,expires\nnobody,block,bin,411111,test,\n'
  await dialog
    .getByLabel('File')
    .setInputFiles({ name: 'entries.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await dialog.getByRole('button', { name: 'Import' }).click()
  await dialog.getByText('Line 2: There is no merchant "nobody".').waitFor()
  await checkState(page, 'risk-import')
})

test('support sees the lists and cannot change them', async () => {
  const support = await scene.seat({ role: 'support' })
  await support.open('/risk')
  await support.page.getByText('No entries.').waitFor()
  await support.page.getByRole('button', { name: 'Add entry' }).waitFor({ state: 'detached' })
})
