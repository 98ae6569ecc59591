/** A shop whose merchants pay over stand-ins that open, answer and decide disputes, and a person of finance at its panel. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenStandIn } from '#sandbox/acquirers/kit/stand-in.ts'
import { standIns } from '#sandbox/acquirers/registry.ts'
import { startServices } from '#sandbox/kit/program.ts'
import { createMid, linkMerchant } from '#server/setup/mids.ts'
import { merchantStore } from '#server/store/configuration/merchants.ts'
import { openAccount } from '../../account.ts'
import { type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'

export interface DisputeScene {
  readonly merchant: string
  readonly merchantId: string
  readonly url: string
}

interface DisputeScenes extends AsyncDisposable {
  readonly shop: Shop
  readonly finance: PanelClient
  readonly sceneOf: (connector: string) => Promise<DisputeScene>
  /** Workers and the stand-in's notifications take turns. */
  readonly until: <T>(what: string, find: () => Promise<T | null | undefined | false>) => Promise<T>
}

export async function openDisputeScenes(): Promise<DisputeScenes> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'disputes-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const shop = opened.use(await openShop({}, ['back office']))
  const finance = await panelOf(shop, { role: 'finance' })
  const scenes = new Map<string, Promise<DisputeScene>>()
  const sceneOf = (connector: string): Promise<DisputeScene> => {
    const known = scenes.get(connector) ?? openScene(connector)
    scenes.set(connector, known)
    return known
  }

  async function openScene(connector: string): Promise<DisputeScene> {
    const open: OpenStandIn = (await standIns.get(connector)?.()) ?? assert.fail(connector)
    const standIn = await open(join(folder, connector))
    const running = await startServices([standIn], 0, (fault) => {
      throw fault
    })
    resources.defer(() => running.stop())
    const merchant = await openAccount(shop, { mids: [], merchant: { mpiService: 'none' } })
    const merchantId = (await merchantStore(shop.base.pool).list()).find(({ name }) => name === merchant)?.id ?? ''
    const features = { mode: 'live', name: `${connector}-live`, connector, descriptor: 'EXAMPLE SHOP' } as const
    const mid = await createMid(shop.base, features, standIn.credentials(running.url).live)
    await linkMerchant(shop.base, { priority: 1, merchantId, midId: mid.id })
    await shop.service.configuration.refresh()
    await send('PUT', `${running.url}/accounts/live/notifications`, {
      url: `${shop.url}/acquirers/${connector}-live/notifications`,
    })
    return { merchant, merchantId, url: running.url }
  }

  async function until<T>(what: string, find: () => Promise<T | null | undefined | false>): Promise<T> {
    for (let tries = 0; tries < 400; tries += 1) {
      await shop.service.awaitIdle()
      const found = await find()
      if (found) return found
      await pause(20)
    }
    return assert.fail(`This did not happen: ${what}.`)
  }

  const resources = opened.move()
  return { shop, finance, sceneOf, until, [Symbol.asyncDispose]: () => resources.disposeAsync() }
}

/** Returns the HTTP status. */
export async function send(method: string, url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method, headers, body: JSON.stringify(body) })).status
}
