/** Builds the HTTP app from the parts of `wiring.ts`; tests inject requests without a port. */

import type { FastifyInstance } from 'fastify'
import type { AppParts } from './app-parts.ts'
import { merchantRequests } from './connectors/sandbox/lost-answers.ts'
import { readDemoReader } from './demo/demo-data.ts'
import { panelAddress } from './demo/owner.ts'
import { shopUrl } from './demo/shop.ts'
import { boundConnections, emptyApp } from './empty-app.ts'
import { callerRoom, descriptorLimit } from './health/descriptors.ts'
import { withoutQueueing } from './overload/payer-operations.ts'
import { registerPanel } from './panel-app.ts'
import { machineTime } from './process/clock.ts'
import { closeConnectionsWhileDraining } from './process/drain.ts'
import { release } from './process/release.ts'
import { acquirerNotifications } from './protocols/acquirers/index.ts'
import { assets } from './protocols/assets/index.ts'
import { checkout } from './protocols/checkout/index.ts'
import { documentation } from './protocols/documentation/index.ts'
import { events } from './protocols/events/index.ts'
import { hostedPage } from './protocols/hosted-page/index.ts'
import { paymentLinkPages } from './protocols/hosted-page/link/routes.ts'
import type { HostedPageParts } from './protocols/hosted-page/parts.ts'
import { countLateDecline } from './protocols/hosted-page/payment/late-decline.ts'
import { prepareReturn } from './protocols/hosted-page/session/payer-return.ts'
import { pageUrlOf } from './protocols/kit/page-url.ts'
import { type RequestLimiter, requestLimiter } from './protocols/kit/rate-limit.ts'
import { payerPages } from './protocols/payer-pages/index.ts'
import { s2s } from './protocols/s2s.ts'
import { losingAnswers, type Plugin } from './protocols/sandbox/lost-answers.ts'
import { sandboxPages } from './protocols/sandbox/pages/index.ts'
import { simulator } from './protocols/sandbox/simulator/index.ts'
import { serviceRoutes } from './protocols/service/index.ts'
import { walletDomain } from './protocols/wallet/domain.ts'
import { walletSession } from './protocols/wallet/session.ts'
import { callbackFeed } from './store/callbacks/callback-feed.ts'
import { brandingStore } from './store/configuration/brandings.ts'
import { formStore } from './store/configuration/forms.ts'
import { policyReportStore } from './store/instance/policy-reports.ts'
import { pageAttempts } from './store/sessions/page-attempts.ts'
import { paymentLinkStore } from './store/sessions/payment-links.ts'
import { findSimulatorRecipient } from './wallets/accounts/recipient.ts'
import { enableForTesting } from './wallets/setup/enable-wallet.ts'

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { base, operations, configuration, idempotency, refusedRequests, wallets, metrics, gate, sandboxUrl } = parts
  const { config, clock, ids, log, pool } = base
  const app = emptyApp(parts)
  boundConnections(app, parts, callerRoom(config, descriptorLimit()).payments)
  closeConnectionsWhileDraining(app)
  await app.register(serviceRoutesOf(parts, () => app.draining.value, config.instanceMode === 'sandbox'))
  const limiter = requestLimiter(clock)
  const machineClock = machineTime(clock)
  // The sandbox loses some answers to merchants on purpose.
  const serveMerchants = (protocol: Plugin) =>
    app.register(sandboxUrl === null ? protocol : losingAnswers(merchantRequests, protocol))
  await serveMerchants(
    s2s({
      configuration,
      operations,
      idempotency,
      limiter,
      gate,
      refusedRequests,
      clock,
      machineClock,
      sandbox: config.instanceMode === 'sandbox',
      trustedProxies: config.trustedProxies,
    }),
  )
  const { publicUrl, sessionTokens: tokens } = parts
  const { trustedProxies } = config
  await serveMerchants(
    checkout({
      configuration,
      operations,
      idempotency,
      limiter,
      gate,
      refusedRequests,
      clock,
      machineClock,
      sandbox: config.instanceMode === 'sandbox',
      ids,
      log,
      tokens,
      pageUrl: pageUrlOf(publicUrl, config.wallets.checkoutDomain),
      trustedProxies,
      hasForm: async (merchantId, formId) => (await formStore(pool).findApproved(merchantId, formId)) !== null,
    }),
  )
  const feed = callbackFeed(pool)
  await app.register(events({ feed, configuration, limiter, gate, clock, machineClock, trustedProxies }))
  const { sessions, files } = wallets
  await app.register(
    walletSession({ configuration, sessions, idempotency, limiter, clock, machineClock, trustedProxies }),
  )
  await app.register(walletDomain(files))
  await app.register(
    acquirerNotifications({
      clock: machineClock,
      receive: (mid, notification) => operations.receiveNotification(mid, notification),
      refuse: (mid, reason) => operations.refuseNotification(mid, reason),
      observe: (sample) => metrics.notification(sample),
    }),
  )
  await app.register(
    assets({
      files: parts.webFiles,
      release,
      alerts: parts.alerts,
      policyReports: policyReportStore(pool, clock),
      clock,
    }),
  )
  await app.register(documentationOf(parts))
  const forPayers = withoutQueueing(operations, gate)
  const page = hostedPageParts({ ...parts, operations: forPayers }, limiter)
  await app.register(hostedPage(page))
  await app.register(paymentLinkPages({ ...page, links: paymentLinkStore(pool) }))
  await app.register(
    payerPages({
      configuration,
      operations: forPayers,
      publicUrl,
      prepareCheckoutReturn: (payment) => prepareReturn(page, payment),
      onReturn: (payment) => countLateDecline(page, payment),
    }),
  )
  if (config.admin.shared && config.role !== 'worker') await registerPanel(app, parts)
  if (sandboxUrl !== null) {
    await app.register(sandboxPages({ url: () => sandboxUrl }))
    if (config.instanceMode === 'sandbox') await app.register(simulatorOf(parts, sandboxUrl))
  }
  return app
}

export const serviceRoutesOf = (
  { vitals, metrics, base: { log } }: AppParts,
  draining: () => boolean,
  detailed: boolean,
) => serviceRoutes({ version: release, ...vitals, draining, metrics, detailed, log })

const hostedPageParts = (
  { base, wallets, sessionTokens: tokens, webFiles, ...parts }: AppParts,
  limiter: RequestLimiter,
): HostedPageParts => ({
  ...parts,
  limiter,
  tokens,
  pageUrl: pageUrlOf(parts.publicUrl, base.config.wallets.checkoutDomain),
  formsDomain: base.config.formsDomain,
  formsDomainIsDefault: base.config.formsDomainIsDefault,
  walletSessions: wallets.sessions,
  walletButtons: wallets.buttons,
  walletScripts: base.config.wallets.scripts,
  files: webFiles,
  forms: formStore(base.pool),
  brandings: brandingStore(base.pool),
  attempts: pageAttempts(base.pool, base.clock),
  clock: base.clock,
  machineClock: machineTime(base.clock),
  ids: base.ids,
  log: base.log,
  trustedProxies: base.config.trustedProxies,
})

/** The documentation; beside payments with the first page of a sandbox. */
export const documentationOf = (
  { base, context, publicUrl, webFiles, sandboxUrl }: AppParts,
  app: 'payments' | 'panel' = 'payments',
) =>
  documentation({
    files: webFiles,
    publicUrl,
    panelUrl: () => context.panelUrl(),
    instanceMode: base.config.instanceMode,
    hasPanel: app === 'panel' || base.config.admin.shared,
    readDemoReader: () => readDemoReader(base),
    welcome:
      app === 'panel' || sandboxUrl === null || base.config.instanceMode !== 'sandbox'
        ? null
        : { shopUrl: shopUrl(sandboxUrl), panelUrl: () => panelAddress(context.panelUrl()), release },
  })

/** Chapter 40 §20: the wallets of a sandbox instance. */
const simulatorOf = ({ base, configuration, publicUrl }: AppParts, sandboxUrl: string) =>
  simulator({
    url: () => sandboxUrl,
    publicUrl,
    configuration,
    findRecipient: (merchant, mode, wallet) =>
      findSimulatorRecipient(base.pool, base.config.wallets, { merchant, mode, wallet }),
    enable: ({ id, name, title }, mode, wallet) =>
      enableForTesting(base, { merchantId: id, name, title, mode, wallet, decrypts: true }, sandboxUrl),
  })
