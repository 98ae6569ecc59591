/**
 * The current address below `/admin`, as a signal that pages read and links change. A page with unsaved work can hold the navigation;
 * `leave-question.tsx` asks the user.
 */
import { signal } from '@preact/signals'

const base = '/admin'

interface PanelAddress {
  /** Below `/admin`, beginning with a slash. */
  readonly path: string
  readonly query: URLSearchParams
}

const readAddress = (): PanelAddress => ({
  path: window.location.pathname.slice(base.length).replace(/\/+$/, '') || '/',
  query: new URLSearchParams(window.location.search),
})

export const currentAddress = signal<PanelAddress>(readAddress())

/** A navigation that waits for the user's answer. */
export const heldNavigation = signal<(() => void) | null>(null)

const guards = new Set<() => boolean>()

/** `isUnsaved` is called before every navigation; the returned function removes the guard. */
export function guardLeaving(isUnsaved: () => boolean): () => void {
  guards.add(isUnsaved)
  return () => guards.delete(isUnsaved)
}

export const hrefOf = (to: string): string => `${base}${to === '/' ? '' : to}`

interface PendingNavigation {
  /** Replaces the current entry of the history. */
  readonly replace?: boolean
  /** Only the query changes: the user stays on the page, and the focus does not move. */
  readonly stay?: boolean
}

export function go(to: string, { replace = false, stay = false }: PendingNavigation = {}): void {
  const leave = (): void => {
    if (!replace) historyPosition += 1
    if (replace) history.replaceState({ at: historyPosition }, '', hrefOf(to))
    else history.pushState({ at: historyPosition }, '', hrefOf(to))
    currentAddress.value = readAddress()
  }
  if (isHeld() && !stay) heldNavigation.value = () => letGo(leave)
  else leave()
}

/** Changes the query of the current page; empty values are removed. */
export function setQuery(changes: Readonly<Record<string, string | null>>, going: PendingNavigation = {}): void {
  const query = new URLSearchParams(currentAddress.value.query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  const search = query.toString()
  go(`${currentAddress.value.path}${search === '' ? '' : `?${search}`}`, { ...going, stay: true })
}

/** The position in the browser's history, so that a held navigation backwards can be undone. */
let historyPosition = 0
let isUndoing = false

const isHeld = (): boolean => [...guards].some((isUnsaved) => isUnsaved())

function letGo(leave: () => void): void {
  guards.clear()
  leave()
}

function onHistory({ state }: PopStateEvent): void {
  const next = typeof state?.at === 'number' ? state.at : 0
  if (isUndoing) {
    isUndoing = false
    return
  }
  const isSamePath = window.location.pathname === hrefOf(currentAddress.value.path)
  if (!isSamePath && isHeld()) {
    const by = next - historyPosition
    isUndoing = true
    history.go(-by)
    heldNavigation.value = () => letGo(() => history.go(by))
    return
  }
  historyPosition = next
  currentAddress.value = readAddress()
}

/** Called once, when the panel starts. */
export function followHistory(): void {
  const { state } = history
  historyPosition = typeof state?.at === 'number' ? state.at : 0
  history.replaceState({ at: historyPosition }, '')
  window.addEventListener('popstate', onHistory)
  window.addEventListener('beforeunload', (event) => {
    if (isHeld()) event.preventDefault()
  })
}
