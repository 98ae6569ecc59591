import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMetrics, type MetricsOptions } from './metrics.ts'

const build = (options: Partial<MetricsOptions> = {}) =>
  createMetrics({
    actions: ['SALE', 'CAPTURE'],
    connectors: ['sandbox'],
    readCallbackBacklog: async () => 7,
    countUnresolvedTransactions: async () => 3,
    ...options,
  })

/** The lines of one metric, without its comments. */
const linesOf = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

describe('the metrics', () => {
  test('count requests by protocol, action and result, and time them', async () => {
    const metrics = build()
    metrics.request({ protocol: 's2s-card', action: 'SALE', result: 'SUCCESS', seconds: 0.02 })
    metrics.request({ protocol: 's2s-card', action: 'SALE', result: 'SUCCESS', seconds: 31 })
    metrics.request({ protocol: 's2s-card', action: 'SALE', result: 'DECLINED', seconds: 0.02 })
    const text = await metrics.composeText()
    assert.deepEqual(linesOf(text, 'gatehouse_http_requests_total'), [
      'gatehouse_http_requests_total{protocol="s2s-card",action="SALE",result="SUCCESS"} 2',
      'gatehouse_http_requests_total{protocol="s2s-card",action="SALE",result="DECLINED"} 1',
    ])
    assert.ok(text.includes('gatehouse_http_request_seconds_bucket{le="0.025",protocol="s2s-card",action="SALE"} 2'))
    assert.ok(text.includes('gatehouse_http_request_seconds_bucket{le="30",protocol="s2s-card",action="SALE"} 2'))
    assert.ok(text.includes('gatehouse_http_request_seconds_count{protocol="s2s-card",action="SALE"} 3'))
  })

  test('name the failing part of the health and how bad it is', async () => {
    const metrics = build({
      condition: () => ({
        checks: { database: async () => undefined, writes: () => Promise.reject(new Error('disk full')) },
        notices: { worker: async () => undefined },
      }),
    })
    assert.deepEqual(linesOf(await metrics.composeText(), 'gatehouse_health_failing{'), [
      'gatehouse_health_failing{part="database",severity="unhealthy"} 0',
      'gatehouse_health_failing{part="writes",severity="unhealthy"} 1',
      'gatehouse_health_failing{part="worker",severity="degraded"} 0',
    ])
  })

  test('leave out a gauge without a figure, and show it again when there is one', async () => {
    let dump: number | null = null
    let ahead = Number.NaN
    const metrics = build({
      readBackups: async () => ({ archive: null, newestAgeSeconds: { dump, base: null } }),
      readClockAheadSeconds: async () => ahead,
    })
    const shown = async () =>
      linesOf(await metrics.composeText(), 'gatehouse_backup_age').concat(
        linesOf(await metrics.composeText(), 'gatehouse_clock'),
      )
    assert.deepEqual(await shown(), [])
    dump = 60
    ahead = 1
    assert.deepEqual(await shown(), ['gatehouse_backup_age_seconds{kind="dump"} 60', 'gatehouse_clock_ahead_seconds 1'])
    dump = null
    assert.deepEqual(await shown(), ['gatehouse_clock_ahead_seconds 1'])
  })

  test('count and time the exchanges with each acquirer', async () => {
    const metrics = build()
    metrics.exchange({ connector: 'sandbox', operation: 'sale', outcome: 'approved', seconds: 0.2 })
    metrics.exchange({ connector: 'sandbox', operation: 'status', outcome: 'never-arrived', seconds: 0.1 })
    const text = await metrics.composeText()
    assert.deepEqual(linesOf(text, 'gatehouse_acquirer_exchanges_total'), [
      'gatehouse_acquirer_exchanges_total{connector="sandbox",operation="sale",outcome="approved"} 1',
      'gatehouse_acquirer_exchanges_total{connector="sandbox",operation="status",outcome="never-arrived"} 1',
    ])
    assert.ok(text.includes('gatehouse_acquirer_exchange_seconds_count{connector="sandbox",operation="sale"} 1'))
  })

  test('show every callback event from the start, so that the first one appears as an increase', async () => {
    const metrics = build()
    metrics.callback('failed')
    assert.deepEqual(linesOf(await metrics.composeText(), 'gatehouse_callbacks_total'), [
      'gatehouse_callbacks_total{event="delivered"} 0',
      'gatehouse_callbacks_total{event="retried"} 0',
      'gatehouse_callbacks_total{event="deferred"} 0',
      'gatehouse_callbacks_total{event="failed"} 1',
    ])
  })

  test('count refused wallet tokens by check and merchant', async () => {
    const metrics = build()
    metrics.refusedToken({ wallet: 'walletapay', check: 'A11', merchant: 'acme' })
    metrics.refusedToken({ wallet: 'walletbpay', check: 'B13', merchant: 'acme' })
    metrics.refusedToken({ wallet: 'walletcpay', check: 'A19', merchant: 'acme' })
    assert.deepEqual(linesOf(await metrics.composeText(), 'gatehouse_wallet_tokens_refused_total'), [
      'gatehouse_wallet_tokens_refused_total{wallet="walletapay",check="A11",merchant="acme"} 1',
      'gatehouse_wallet_tokens_refused_total{wallet="walletbpay",check="B13",merchant="acme"} 1',
      'gatehouse_wallet_tokens_refused_total{wallet="other",check="other",merchant="acme"} 1',
    ])
  })

  test('count missing wallet buttons by reason and merchant', async () => {
    const metrics = build()
    metrics.missingButton({ wallet: 'walletapay', reason: 'no card', merchant: 'acme' })
    metrics.missingButton({ wallet: 'walletbpay', reason: 'weather', merchant: 'acme' })
    assert.deepEqual(linesOf(await metrics.composeText(), 'gatehouse_wallet_buttons_missing_total'), [
      'gatehouse_wallet_buttons_missing_total{wallet="walletapay",reason="no card",merchant="acme"} 1',
      'gatehouse_wallet_buttons_missing_total{wallet="walletbpay",reason="other",merchant="acme"} 1',
    ])
  })

  test('query the backlog and the unresolved transactions when they are read', async () => {
    let backlog = 7
    const metrics = build({ readCallbackBacklog: async () => backlog })
    assert.deepEqual(linesOf(await metrics.composeText(), 'gatehouse_callbacks_backlog'), [
      'gatehouse_callbacks_backlog 7',
    ])
    backlog = 0
    const text = await metrics.composeText()
    assert.deepEqual(linesOf(text, 'gatehouse_callbacks_backlog'), ['gatehouse_callbacks_backlog 0'])
    assert.deepEqual(linesOf(text, 'gatehouse_transactions_unresolved'), ['gatehouse_transactions_unresolved 3'])
  })

  test('are read at once while the database does not answer', { timeout: 5000 }, async () => {
    const never = () => new Promise<never>(() => {})
    const metrics = build({
      readCallbackBacklog: () => Promise.reject(new Error('away')),
      countUnresolvedTransactions: never,
      countMonthsAhead: never,
      countWalletAlerts: never,
      condition: () => ({ checks: { database: async () => undefined, writes: never }, notices: { worker: never } }),
    })
    const begun = performance.now()
    const text = await metrics.composeText()
    assert.ok(performance.now() - begun < 1500, 'a collector does not wait')
    assert.deepEqual(linesOf(text, 'gatehouse_callbacks_backlog'), [])
    assert.deepEqual(linesOf(text, 'gatehouse_transactions_unresolved'), [])
    assert.deepEqual(linesOf(text, 'gatehouse_health_failing{'), [
      'gatehouse_health_failing{part="database",severity="unhealthy"} 0',
    ])
    assert.ok(text.includes('gatehouse_callbacks_total{event="failed"} 0'))
  })

  test('show the figure that was read last, and how old it is', async () => {
    let answer: () => Promise<number> = async () => 7
    const metrics = build({ readCallbackBacklog: () => answer() })
    await metrics.composeText()
    const late = Promise.withResolvers<number>()
    let reads = 0
    answer = () => {
      reads += 1
      return late.promise
    }
    for (let times = 0; times < 2; times += 1) {
      const text = await metrics.composeText()
      assert.deepEqual(linesOf(text, 'gatehouse_callbacks_backlog'), ['gatehouse_callbacks_backlog 7'])
      const [age = ''] = linesOf(text, 'gatehouse_figure_age_seconds{figure="callbacks_backlog"}')
      assert.ok(Number(age.split(' ')[1]) > 0.2, age)
    }
    assert.equal(reads, 1, 'a slow database is asked once')
    late.resolve(9)
    await late.promise
    answer = () => new Promise(() => {})
    assert.deepEqual(linesOf(await metrics.composeText(), 'gatehouse_callbacks_backlog'), [
      'gatehouse_callbacks_backlog 9',
    ])
  })

  test('include the event loop and the process', async () => {
    const text = await build().composeText()
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
      'process_cpu_seconds_total',
    ])
      assert.equal(linesOf(text, `${name} `).length, 1, name)
  })

  test('take no label from a caller: a million values create as many lines as one', async () => {
    const metrics = build()
    for (let at = 0; at < 1000; at += 1) {
      const value = `x${at}`
      metrics.request({ protocol: value, action: value, result: value, seconds: 0 })
      metrics.exchange({ connector: value, operation: value, outcome: value, seconds: 0 })
    }
    const text = await metrics.composeText()
    assert.deepEqual(linesOf(text, 'gatehouse_http_requests_total'), [
      'gatehouse_http_requests_total{protocol="other",action="other",result="other"} 1000',
    ])
    assert.deepEqual(linesOf(text, 'gatehouse_acquirer_exchanges_total'), [
      'gatehouse_acquirer_exchanges_total{connector="other",operation="other",outcome="other"} 1000',
    ])
  })
})
