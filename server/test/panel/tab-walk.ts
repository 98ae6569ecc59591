/** Walks through a page with the Tab key, as people without a mouse do. */
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { isFullRun } from '../../../tools/testing/full-run.ts'

/** The first ones are those of the page itself: its actions, tabs and filters. Rows come after them. */
const steps = isFullRun ? 60 : 3

interface Stop {
  readonly name: string
  readonly isShown: boolean
}

/** The first element is reached from the link that skips the navigation, each one is seen to have the focus, and the last one lets it go. */
export async function walkByTab(page: Page, name: string): Promise<void> {
  const count = await page.evaluate<number>(begin)
  if (count === 0) return
  for (let step = 0; step < Math.min(steps, count); step += 1) await page.keyboard.press('Tab')
  const stops = await page.evaluate<readonly Stop[]>(`globalThis.tabWalk.stops`)
  assert.ok(stops.length > 0, `${name}: Tab reaches nothing.`)
  assert.equal(
    stops[0]?.name,
    await page.evaluate<string>(`globalThis.tabWalk.first`),
    `${name}: Tab begins elsewhere.`,
  )
  assert.deepEqual(
    stops.filter(({ isShown }) => !isShown),
    [],
    `${name}: the focus cannot be seen.`,
  )
  await page.evaluate(`globalThis.tabWalk.end()`)
  await page.keyboard.press('Tab')
  assert.ok(
    await page.evaluate<boolean>(`globalThis.tabWalk.isLeft()`),
    `${name}: Tab does not leave its last element.`,
  )
}

/** Sets the focus on the page, records where it goes, and says how many elements can have it. */
const begin = `(() => {
  const main = document.querySelector('main')
  const nameOf = (one) => one.tagName.toLowerCase() + ' ' + (one.getAttribute('aria-label') ?? one.id ?? '') + ' ' + one.textContent.trim().slice(0, 40)
  const isShown = (one) => {
    const box = one.getBoundingClientRect()
    const look = getComputedStyle(one)
    const isMarked = look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) > 0
    return box.width > 0 && box.bottom > 0 && box.top < innerHeight && (isMarked || look.boxShadow !== 'none')
  }
  const all = [...main.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
    .filter((one) => one.tabIndex === 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true }))
  const walk = globalThis.tabWalk ??= { record: null }
  if (walk.record !== null) document.removeEventListener('focusin', walk.record)
  walk.stops = []
  walk.first = all.length === 0 ? '' : nameOf(all[0])
  walk.record = ({ target }) => walk.stops.push({ name: nameOf(target), isShown: isShown(target) })
  walk.end = () => all.at(-1).focus()
  walk.isLeft = () => document.activeElement !== all.at(-1)
  main.focus()
  document.addEventListener('focusin', walk.record)
  return all.length
})()`
