/** The stage of a month: three merchants, the last of them at Adyen and the others at the sandbox acquirer, three currencies, and two people of finance. */
import { dayMs } from '#domain/time.ts'
import { merchantId, type PanelClient, panelOf } from '../../panel/admin.ts'
import { openShop, type Shop } from '../../shop.ts'
import { type MonthAdyen, openMonthAdyen } from './month-adyen.ts'

export const names = ['demo', 'demo-no-moto', 'demo-no-wallet'] as const
export type Name = (typeof names)[number]
export const merchantAtAdyen: Name = 'demo-no-wallet'
export const currencies = ['EUR', 'JPY', 'KWD'] as const
export type Currency = (typeof currencies)[number]

export interface Month extends AsyncDisposable {
  readonly shop: Shop
  readonly adyen: MonthAdyen
  readonly finance: PanelClient
  readonly colleague: PanelClient
  readonly idOf: (name: Name) => string
  /** The MIDs with live payments by their names, once there are any. */
  readonly mids: Map<string, string>
  /** The day of the sales, from which the price lists are valid. */
  readonly begun: string
  readonly today: (days?: number) => string
  readonly rowsOf: <Row extends object>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>
  readonly approve: (approvalId: string, by?: PanelClient) => ReturnType<PanelClient['post']>
}

export async function openMonth(): Promise<Month> {
  await using opened = new AsyncDisposableStack()
  const shop = opened.use(await openShop({}, ['back office']))
  const ids = new Map<Name, string>()
  for (const name of names) ids.set(name, await merchantId(shop, name))
  const adyen = opened.use(await openMonthAdyen(shop, ids.get(merchantAtAdyen) ?? ''))
  const finance = await panelOf(shop, { role: 'finance' })
  const colleague = await panelOf(shop, { role: 'finance' })
  const today = (days = 0): string =>
    new Date(shop.base.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10)
  const resources = opened.move()
  return {
    shop,
    adyen,
    finance,
    colleague,
    idOf: (name) => ids.get(name) ?? '',
    mids: new Map(),
    begun: today(),
    today,
    rowsOf: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await shop.base.pool.query<Row>(text, [...values])).rows,
    approve: (approvalId, by = colleague) => by.post(`/approvals/${approvalId}/approve`, {}),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
