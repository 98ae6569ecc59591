/** Replaces `google.payments.api.PaymentsClient` (Chapter 40 §20.5). */
;(() => {
  const simulator = window.gatehouseWallet
  if (window.google?.payments?.api?.PaymentsClient) return

  /** The provider draws its button in the language that the page asks for, else in English. */
  const labels = {
    ar: 'الدفع باستخدام محفظة الجهاز B',
    az: 'Cihaz pulqabısı B ilə ödə',
    bg: 'Плащане с Портфейл в устройството B',
    cs: 'Zaplatit přes Peněženka v zařízení B',
    de: 'Mit Geräte-Wallet B bezahlen',
    en: 'Pay with Device wallet B',
    es: 'Pagar con Monedero del móvil B',
    fr: 'Payer avec Portefeuille mobile B',
    hr: 'Platite putem Novčanik uređaja B',
    hu: 'Fizetés ezzel: Eszköztárca B',
    it: 'Paga con Portafoglio del telefono B',
    ja: 'デバイスウォレット Bで支払う',
    kk: 'Құрылғы әмияны B арқылы төлеу',
    nb: 'Betal med Enhetslommebok B',
    nl: 'Betalen met Toestelportemonnee B',
    pl: 'Zapłać przez Portfel urządzenia B',
    pt: 'Pagar com Carteira do dispositivo B',
    ro: 'Plătiți cu Portofelul telefonului B',
    ru: 'Оплатить через Кошелёк устройства B',
    zh: '使用 设备钱包 B 付款',
  }

  const fault = (statusCode, statusMessage) => Object.assign(new Error(statusMessage), { statusCode, statusMessage })
  const developerError = (message) => fault('DEVELOPER_ERROR', message)

  class PaymentsClient {
    #environment

    constructor({ environment = 'TEST' } = {}) {
      if (environment !== 'TEST' && environment !== 'PRODUCTION') throw developerError('environment is not valid.')
      this.#environment = environment
    }

    async isReadyToPay(request) {
      checkRequest(request)
      const { browser } = simulator.settings
      if (browser === 'unsupported') return { result: false }
      const present = browser !== 'maker-no-card'
      if (!request.existingPaymentMethodRequired) return { result: true }
      return { result: present, paymentMethodPresent: present }
    }

    createButton({ onClick, buttonLocale = 'en' } = {}) {
      if (typeof onClick !== 'function') throw developerError('onClick is missing.')
      const locale = Object.hasOwn(labels, buttonLocale) ? buttonLocale : 'en'
      const holder = simulator.element('div', { lang: locale })
      const button = simulator.element('button', { type: 'button' }, labels[locale])
      button.addEventListener('click', onClick)
      holder.append(button)
      return holder
    }

    prefetchPaymentData(request) {
      checkOrder(request)
    }

    async loadPaymentData(request) {
      checkOrder(request)
      if (!simulator.isPrivileged()) throw developerError('The page must be loaded over HTTPS.')
      if (simulator.settings.browser === 'unsupported') throw developerError('The browser is not supported.')
      const { promise, resolve, reject } = Promise.withResolvers()
      const { merchantInfo, transactionInfo } = request
      const sheet = simulator.openSheet({
        title: 'Pay with the wallet',
        rows: [
          ['Shop', merchantInfo?.merchantName ?? location.hostname],
          ['Amount', `${transactionInfo.totalPrice} ${transactionInfo.currencyCode}`],
          ['Environment', this.#environment],
        ],
        version: simulator.settings.walletBVersion,
        numbers: numbersFor(cardMethod(request).parameters.allowedAuthMethods),
        confirm: async (choices) => {
          const { token } = await simulator.mint({ ...mintRequest(transactionInfo), ...choices })
          resolve(withAddress(JSON.parse(token), cardMethod(request).parameters))
          sheet.close()
        },
        cancel: () => reject(fault('CANCELED', 'The payer closed the sheet.')),
      })
      return promise
    }
  }

  /** Like the wallet provider: beside the token, and only the parts that were requested. */
  function withAddress(
    data,
    { billingAddressRequired, billingAddressParameters: { format, phoneNumberRequired } = {} },
  ) {
    if (!billingAddressRequired) return data
    const least = { name: 'Jane Roe', postalCode: '94043', countryCode: 'US' }
    const full = {
      address1: '1600 Amphitheatre Parkway',
      address2: 'Building 40',
      address3: '',
      locality: 'Mountain View',
      administrativeArea: 'CA',
      sortingCode: '',
    }
    const phone = phoneNumberRequired ? { phoneNumber: '+1 650-555-0100' } : {}
    data.paymentMethodData.info.billingAddress = { ...least, ...(format === 'FULL' ? full : {}), ...phone }
    return data
  }

  const mintRequest = ({ totalPrice, currencyCode }) => ({
    wallet: 'walletbpay',
    version: simulator.settings.walletBVersion,
    envelope: 'payment_data',
    amount: totalPrice,
    currency: currencyCode,
  })

  const cardMethod = (request) => request?.allowedPaymentMethods?.find(({ type }) => type === 'CARD')

  function checkRequest(request) {
    if (request?.apiVersion !== 2) throw developerError('apiVersion is not valid.')
    const parameters = cardMethod(request)?.parameters
    if (!(parameters?.allowedAuthMethods?.length > 0)) throw developerError('allowedAuthMethods is missing.')
    if (!(parameters.allowedCardNetworks?.length > 0)) throw developerError('allowedCardNetworks is missing.')
  }

  function checkOrder(request) {
    checkRequest(request)
    if (!cardMethod(request).tokenizationSpecification) throw developerError('tokenizationSpecification is missing.')
    const { totalPrice, currencyCode } = request.transactionInfo ?? {}
    if (!/^\d+(\.\d+)?$/.test(totalPrice ?? '')) throw developerError('totalPrice is not valid.')
    if (!/^[A-Z]{3}$/.test(currencyCode ?? '')) throw developerError('currencyCode is not valid.')
  }

  function numbersFor(methods) {
    return [
      ['CRYPTOGRAM_3DS', ['DPAN', 'Device number']],
      ['PAN_ONLY', ['FPAN', 'Card number']],
    ].flatMap(([method, number]) => (methods.includes(method) ? [number] : []))
  }

  window.google ??= {}
  window.google.payments ??= {}
  window.google.payments.api = { ...window.google.payments.api, PaymentsClient }
})()
