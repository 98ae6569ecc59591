/**
 * A merchant's own page that pays by wallet, on another origin than the gateway. It replaces wallet A's API: it asks for validation, then
 * returns the token that the test mints. With `?simulator` it leaves that to the sandbox's simulator. `window.log` has the events of the page.
 */
import { createServer } from 'node:http'
import { portOf } from '../hosts/port-of.ts'

interface WalletPage {
  readonly url: string
  stop(): Promise<void>
}

const page = (gateway: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title></head>
<body><main><h1>Shop</h1>
<div id="applepay-container"><button type="button" id="wallet">Pay with the wallet</button></div>
<form name="paymentForm"><input id="payer_card" aria-label="Card number"><button>Pay</button></form></main>
<script src="${gateway}/sdk/pay-session.js"></script>
<script src="/merchant.js"></script>
</body></html>`

const script = (gateway: string): string => `
window.log = []
const query = new URLSearchParams(location.search)
if (!query.has('simulator')) window.ApplePaySession = class {
  static STATUS_SUCCESS = 0
  static STATUS_FAILURE = 1
  static supportsVersion() { return true }
  static canMakePayments() { return true }
  static async canMakePaymentsWithActiveCard() { return true }
  constructor(version, request) { this.request = request }
  begin() { setTimeout(() => this.onvalidatemerchant({ validationURL: '${gateway}/simulator/session' })) }
  async completeMerchantValidation({ domainName }) {
    log.push(['validated', domainName])
    this.onpaymentauthorized({ payment: { token: await mint(JSON.stringify(this.request)) } })
  }
  completePaymentMethodSelection() {}
  completePayment({ status }) { log.push(['completed', status]) }
  abort() { log.push(['aborted']) }
}
const token = query.get('token')
window.session = new PaySession({ token, baseUrl: '${gateway}' })
session.onFormReady = () => log.push(['ready', session.getOrderInfo().number, session.getAvailableBrands()])
session.onSuccess = ({ successUrl }) => log.push(['success', successUrl])
session.onDecline = ({ message }) => log.push(['decline', message])
session.handleError = ({ code, message }) => log.push(['error', code, message])
document.getElementById('wallet').onclick = () => session.beginApplePay()
session.begin()
`

export async function startWalletPage(gateway: string): Promise<WalletPage> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/merchant.js'
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8' })
    response.end(isScript ? script(gateway) : page(gateway))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return {
    url: `http://localhost:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
