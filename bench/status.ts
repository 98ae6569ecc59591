/** Look-ups of one payment per second. */
import { only } from '../campaigns/stage/stage.ts'
import { closedLoop, type LoadResult } from './load.ts'
import type { Scene } from './scene.ts'

const warmUpSeconds = 1

export async function runStatus({ stage, terms }: Scene): Promise<LoadResult> {
  const { url } = only(stage.apis)
  const sale = await stage.merchant.sale(url, 'LOOKED-UP')
  const transId = sale.answered ? (sale.body.trans_id ?? '') : ''
  const fields = new URLSearchParams(stage.merchant.followUpFields('GET_TRANS_STATUS', transId)).toString()
  const loadOptions = {
    url,
    path: '/post',
    connections: terms.connections,
    body: () => fields,
    expects: '"result":"SUCCESS"',
  }
  await closedLoop({ ...loadOptions, seconds: warmUpSeconds })
  return closedLoop({ ...loadOptions, seconds: terms.seconds })
}
