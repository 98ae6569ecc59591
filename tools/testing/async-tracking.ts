/**
 * The test runner follows every promise and every handle from its creation until it is collected, in order to know to which test it belongs.
 * That takes an eighth of a test run, and the runner needs it only while a file declares its tests. This module has to be loaded before
 * `node:test`.
 *
 * While nothing is followed, an error that no test awaits fails the process instead of a test.
 */
import asyncHooks, { type HookCallbacks } from 'node:async_hooks'

const { createHook } = asyncHooks
let tracks = true

asyncHooks.createHook = (callbacks: HookCallbacks) =>
  createHook({
    init: (asyncId, type, triggerAsyncId, resource) => {
      if (tracks || type === 'Test') callbacks.init?.(asyncId, type, triggerAsyncId, resource)
    },
  })

export function trackAsync(wanted: boolean): void {
  tracks = wanted
}
