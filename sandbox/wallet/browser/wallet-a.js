/**
 * Replaces `window.ApplePaySession` (Chapter 40 §20.5): the same calls in the same order, with the same errors on misuse.
 *
 * In a browser of the wallet provider the sheet opens in the page. In others the provider's script, here `gatehouseWallet.makerScript()`,
 * defines the same object with a scan code.
 */
;(() => {
  const simulator = window.gatehouseWallet
  if (window.ApplePaySession) return

  const VERSIONS = 14
  const ANSWERS_WITHIN_MS = 30_000
  let active = null

  const invalid = (message) => new DOMException(message, 'InvalidAccessError')
  const wrongState = (message) => new DOMException(message, 'InvalidStateError')

  class Session extends EventTarget {
    static STATUS_SUCCESS = 0
    static STATUS_FAILURE = 1
    static STATUS_INVALID_BILLING_POSTAL_ADDRESS = 2
    static STATUS_INVALID_SHIPPING_POSTAL_ADDRESS = 3
    static STATUS_INVALID_SHIPPING_CONTACT = 4
    static STATUS_PIN_REQUIRED = 5
    static STATUS_PIN_INCORRECT = 6
    static STATUS_PIN_LOCKOUT = 7

    static supportsVersion(version) {
      return Number.isInteger(version) && version >= 1 && version <= VERSIONS
    }

    static canMakePayments() {
      if (!simulator.isPrivileged()) throw invalid('The page must be loaded over HTTPS.')
      return simulator.settings.browser !== 'unsupported'
    }

    static async canMakePaymentsWithActiveCard(merchantIdentifier) {
      if (typeof merchantIdentifier !== 'string' || merchantIdentifier === '') {
        throw new TypeError('A Merchant Identifier is needed.')
      }
      return Session.canMakePayments() && simulator.settings.browser !== 'maker-no-card'
    }

    onvalidatemerchant = null
    onpaymentmethodselected = null
    onpaymentauthorized = null
    oncancel = null

    #request
    #state = 'new'
    #sheet = null
    #selection = null
    #authorized = null

    constructor(version, request) {
      super()
      if (!simulator.isPrivileged()) throw invalid('The page must be loaded over HTTPS.')
      if (!Session.supportsVersion(version)) throw invalid('The version is not supported.')
      if (navigator.userActivation?.isActive === false) throw invalid('A session must begin with a user gesture.')
      const missing = missingIn(request)
      if (missing !== null) throw new TypeError(`${missing} is missing or not valid.`)
      this.#request = request
    }

    begin() {
      if (this.#state !== 'new') throw wrongState('The session has already begun.')
      if (active !== null) throw wrongState('The page already has an active session.')
      active = this
      this.#state = 'validating'
      const { validationUrl } = simulator.settings
      setTimeout(() => {
        if (this.#state !== 'validating') return
        if (!this.onvalidatemerchant) return this.#cancel('notValidated')
        this.#fire('validatemerchant', { validationURL: validationUrl })
      })
    }

    abort() {
      if (this.#state === 'new' || this.#state === 'ended') throw wrongState('The session is not active.')
      this.#end()
    }

    completeMerchantValidation(session) {
      if (this.#state !== 'validating') throw wrongState('No merchant validation is under way.')
      const wrong = wrongInSession(session)
      if (wrong !== null) {
        this.#cancel('notValidated')
        throw new TypeError(wrong)
      }
      this.#state = 'asking'
      if (simulator.settings.browser === 'other') void this.#showCode()
      else this.#showSheet()
    }

    completePaymentMethodSelection() {
      if (this.#selection === null) throw wrongState('No payment method was selected.')
      this.#selection.resolve()
      this.#selection = null
    }

    completePayment(result) {
      if (this.#state !== 'authorized') throw wrongState('No payment is authorized.')
      const status = typeof result === 'object' && result !== null ? result.status : result
      if (!Number.isInteger(status)) throw new TypeError('A status is needed.')
      this.#end()
    }

    #showSheet() {
      const { total, currencyCode } = this.#request
      this.#sheet = simulator.openSheet({
        title: 'Pay with the wallet',
        rows: rowsOf(total, currencyCode),
        version: simulator.settings.walletAVersion,
        numbers: [
          ['DPAN', 'Device number'],
          ['FPAN', 'Card number'],
          ['MPAN', 'Merchant token'],
        ],
        choose: (choices) => this.#select(choices),
        confirm: async (choices) => this.#authorize(await simulator.mint({ ...this.#mintRequest(), ...choices })),
        cancel: () => this.#cancel('userCanceled'),
      })
    }

    async #showCode() {
      const { total, currencyCode } = this.#request
      const dialog = simulator.openDialog('Scan with the phone', rowsOf(total, currencyCode), () =>
        this.#cancel('userCanceled'),
      )
      this.#sheet = dialog
      try {
        const order = { shop_name: total.label, domain: location.hostname }
        const scan = await simulator.beginScan({ ...this.#mintRequest(), ...order })
        if (this.#state !== 'asking') return
        const status = simulator.element('p', { role: 'status' }, 'Waiting for the phone.')
        // Without a second device, the payer opens the phone in a second window.
        const address = simulator.element('a', { href: scan.url, target: '_blank', rel: 'noopener' }, scan.url)
        const line = simulator.element('p')
        line.append(address)
        dialog.content.append(codeOf(scan.qr), line, ...hintFor(scan.url), status)
        this.#follow(scan.id, status)
      } catch {
        dialog.cancel()
      }
    }

    #follow(id, status) {
      const events = simulator.scanEvents(id)
      events.addEventListener('message', ({ data }) => {
        const { state, minted } = JSON.parse(data)
        if (state === 'opened') status.textContent = 'Continue on the phone.'
        if (state === 'waiting' || state === 'opened') return
        events.close()
        if (this.#state !== 'asking') return
        if (state === 'confirmed') void this.#authorize(minted)
        else this.#cancel('userCanceled')
      })
      this.addEventListener('ended', () => events.close())
    }

    /** The page gets the card and answers what it changes, before the payer can confirm. */
    async #select({ card }) {
      if (!this.onpaymentmethodselected) return
      this.#selection = Promise.withResolvers()
      const { promise } = this.#selection
      this.#fire('paymentmethodselected', { paymentMethod: { displayName: card, network: 'Visa', type: 'debit' } })
      await promise
    }

    /** Resolves when the page has completed the payment, or has not done so in time. */
    #authorize({ token }) {
      if (this.#state !== 'asking') return undefined
      this.#state = 'authorized'
      const { promise, resolve } = Promise.withResolvers()
      const late = setTimeout(() => this.#state === 'authorized' && this.#cancel('timeout'), ANSWERS_WITHIN_MS)
      this.#authorized = () => {
        clearTimeout(late)
        resolve()
      }
      if (this.onpaymentauthorized) this.#fire('paymentauthorized', { payment: { token: tokenOf(token) } })
      else this.#cancel('notHandled')
      return promise
    }

    #mintRequest() {
      const { total, currencyCode, applicationData } = this.#request
      return {
        wallet: 'walletapay',
        version: simulator.settings.walletAVersion,
        amount: total.amount,
        currency: currencyCode,
        ...(applicationData && { application_data: textOf(applicationData) }),
      }
    }

    #cancel(code) {
      if (this.#state === 'ended') return
      this.#end()
      this.#fire('cancel', { sessionError: { code, info: {} } })
    }

    #end() {
      this.#state = 'ended'
      active = null
      this.#sheet?.close()
      this.#authorized?.()
      this.dispatchEvent(new Event('ended'))
    }

    #fire(name, fields) {
      const event = Object.assign(new Event(name), fields)
      this[`on${name}`]?.(event)
      this.dispatchEvent(event)
    }
  }

  const textOf = (base64) =>
    new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)))

  function missingIn(request) {
    if (typeof request !== 'object' || request === null) return 'The payment request'
    if (!/^[A-Z]{2}$/.test(request.countryCode ?? '')) return 'countryCode'
    if (!/^[A-Z]{3}$/.test(request.currencyCode ?? '')) return 'currencyCode'
    if (!request.merchantCapabilities?.includes('supports3DS')) return 'merchantCapabilities'
    if (!(request.supportedNetworks?.length > 0)) return 'supportedNetworks'
    if (typeof request.total?.label !== 'string' || !/^\d+(\.\d+)?$/.test(request.total?.amount ?? '')) return 'total'
    return null
  }

  function wrongInSession(session) {
    const fields = [
      'epochTimestamp',
      'expiresAt',
      'merchantSessionIdentifier',
      'nonce',
      'merchantIdentifier',
      'signature',
    ]
    if (typeof session !== 'object' || session === null) return 'The merchant session is not an object.'
    const missing = fields.find((field) => !session[field])
    if (missing !== undefined) return `The merchant session has no ${missing}.`
    // Domains are registered by name, so the loopback address counts as its name.
    const host = location.hostname === '127.0.0.1' ? 'localhost' : location.hostname
    return [host, location.hostname].includes(session.domainName) ? null : 'The merchant session is for another domain.'
  }

  /** A phone cannot open an address of this machine. */
  function hintFor(address) {
    if (!/^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)) return []
    const text =
      'This address works only on this computer: open it in another window, or start the gateway with "npm start -- --lan" to scan the code with a phone in the same network.'
    return [simulator.element('p', {}, text)]
  }

  const rowsOf = ({ label, amount }, currency) => [
    ['Shop', label],
    ['Website', location.hostname],
    ['Amount', `${amount} ${currency}`],
  ]

  /** A text that would change as an object stays a text, so that its fault is not corrected on the way. */
  function tokenOf(text) {
    try {
      const token = JSON.parse(text)
      return JSON.stringify(token) === text ? token : text
    } catch {
      return text
    }
  }

  function codeOf(qr) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    svg.setAttribute('role', 'img')
    svg.setAttribute('aria-label', 'Code to scan with the phone')
    svg.setAttribute('viewBox', `0 0 ${qr?.size ?? 1} ${qr?.size ?? 1}`)
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    path.setAttribute('d', qr?.path ?? '')
    svg.append(path)
    return svg
  }

  const { browser } = simulator.settings
  if (browser === 'maker' || browser === 'maker-no-card') window.ApplePaySession = Session

  /** What the wallet provider's script reports in other browsers: whether it supports this one. */
  simulator.makerScript = async () => {
    if (simulator.settings.browser === 'unsupported') return false
    window.ApplePaySession ??= Session
    return true
  }
})()
