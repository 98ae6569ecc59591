/**
 * How often one card may be tried again, by the rules of its network. Chapter 10 §6 ("RETRY"), chapter 50 §4.
 *
 * A try is a RETRY or a later attempt of a cascade; a first charge does not count. Tries are counted where they are written; this file
 * has only the limits.
 */

import { limits } from '../limits.ts'
import { hourMs } from '../time.ts'

export interface Window {
  readonly tries: number
  readonly withinMs: number
}

/** By network; a network that is not listed has no limit. */
export type RetryBudgets = Readonly<Record<string, readonly Window[]>>

export const usualBudgets: RetryBudgets = limits.retryBudget

/** A window at one moment: at most so many tries after `since`. */
export interface OpenWindow {
  readonly since: Date
  readonly most: number
}

export function openWindows(budgets: RetryBudgets, network: string | null, now: Date): readonly OpenWindow[] {
  const windows = budgets[network ?? ''] ?? []
  return windows.map(({ tries, withinMs }) => ({ since: new Date(now.getTime() - withinMs), most: tries }))
}

/** True if one more try is within every window. */
export function hasRoom(windows: readonly OpenWindow[], tries: readonly Date[]): boolean {
  return windows.every(({ since, most }) => tries.filter((at) => at > since).length < most)
}

/** The window without room for one more try; the shortest if there are several. */
export function spentWindow(
  budgets: RetryBudgets,
  network: string | null,
  tries: readonly Date[],
  now: Date,
): Window | null {
  const windows = budgets[network ?? ''] ?? []
  const open = openWindows(budgets, network, now)
  const spent = windows.filter((_, index) => !hasRoom(open.slice(index, index + 1), tries))
  return spent.toSorted((a, b) => a.withinMs - b.withinMs)[0] ?? null
}

/**
 * Parses the operator's setting: `visa 20/30d; mastercard 10/24h, 35/30d`. A network that is not named keeps its default windows;
 * a network without windows has no limit. Null for an invalid text.
 */
export function readBudgets(text: string): RetryBudgets | null {
  const budgets: Record<string, readonly Window[]> = { ...usualBudgets }
  for (const part of text.split(';')) {
    const [, network = null, list = ''] = /^\s*([a-z0-9_-]+)\s*(.*?)\s*$/.exec(part) ?? []
    const windows = list === '' ? [] : list.split(',').map(readWindow)
    const read = windows.filter((window) => window !== null)
    if (network === null || read.length < windows.length) return null
    budgets[network] = read
  }
  return budgets
}

function readWindow(text: string): Window | null {
  const [, tries, length, unit] = /^\s*([1-9][0-9]{0,3})\/([1-9][0-9]{0,3})([hd])\s*$/.exec(text) ?? []
  if (tries === undefined || length === undefined) return null
  return { tries: Number(tries), withinMs: Number(length) * (unit === 'd' ? 24 * hourMs : hourMs) }
}
