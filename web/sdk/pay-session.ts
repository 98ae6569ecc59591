/**
 * Checkout SDK: pays a session with a form designed by the merchant. Chapter 30 §9.
 * The service hosts the form, and the session is that of the page. On a page of another origin only wallets work, because card data must
 * not pass through pages that were not reviewed.
 */

import { waitForSessionChange } from '../checkout/methods/session-change.ts'
import type { PaymentAnswer, PaymentBody, SessionView } from '../checkout/page-api.ts'
import { browserInfo } from '../checkout/state/browser-info.ts'
import { shownAmount } from '../checkout/state/payment-body.ts'
import { saysOtherAmount } from '../checkout/state/refusals.ts'
import { randomUuid } from '../kit/random-uuid.ts'
import { answerInView, awaitOutcome, sendAttempt } from './attempt.ts'
import { depart } from './departure.ts'
import { CallFailed, type PageClient, pageClient } from './page-client.ts'
import { PayForm } from './pay-form.ts'
import type {
  BillingAddress,
  CardToken,
  Country,
  CustomerInfo,
  ErrorEvent,
  InputValidationEvent,
  MessageEvent,
  OrderInfo,
  PaySessionOptions,
  PayState,
  SuccessEvent,
  WalletButtonOptions,
  WalletCode,
} from './pay-session-types.ts'
import { reloadWithNews, serviceAddress, takeNews, tokenInAddress } from './service-address.ts'
import { billingAddressIn, cardTokensIn, customerIn, expiryIn, orderIn, stateIn } from './session-facts.ts'
import { textsIn } from './texts.ts'
import { amountChanged, orderChanged, unsupportedError, type WalletSession } from './wallet-session.ts'
import { hideWallets, openWallets, type Wallets } from './wallets.ts'

type OrderEntry = Omit<
  PaymentBody,
  'attempt_id' | 'method' | 'shown' | 'browser_info' | 'terms' | 'consent' | 'language'
>

export class PaySession {
  onFormReady: () => void = () => undefined
  onSuccess: (event: SuccessEvent) => void = ({ successUrl }) => location.assign(successUrl)
  onDecline: (event: MessageEvent) => void = () => undefined
  onUndefined: (event: MessageEvent) => void = () => undefined
  onInputValidation: (event: InputValidationEvent) => void = () => undefined
  handleError: (event: ErrorEvent) => void = () => undefined

  readonly #base: string
  readonly #client: PageClient
  readonly #form: PayForm
  #view: SessionView | null = null
  /** The session as the form shows it, perhaps in its template. */
  #drawn: SessionView | null = null
  #customData: unknown = {}
  #countries: readonly Country[] = []
  #state: PayState = ''
  #wallets: Wallets | null = null
  #button: WalletButtonOptions = {}
  #paying = false
  /** The identifier of an attempt whose answer was lost; the next attempt repeats it. */
  #unanswered: string | null = null

  constructor({ formName = 'paymentForm', validateOnInput = false, token, baseUrl }: PaySessionOptions = {}) {
    this.#base = token === undefined && baseUrl === undefined ? '' : serviceAddress(baseUrl)
    this.#client = pageClient(this.#base, token ?? tokenInAddress())
    this.#form = new PayForm(formName, {
      validateOnInput,
      report: (event) => this.onInputValidation(event),
      reportSubmitted: () => this.#handleSubmit(),
    })
  }

  /** Loads the session. Failures are passed to `handleError`. */
  async begin(): Promise<void> {
    hideWallets()
    try {
      const [{ view, customData }, countries] = await Promise.all([
        this.#client.session(),
        this.#client.countries().catch(() => []),
      ])
      this.#view = view
      this.#drawn = view
      this.#customData = customData
      this.#countries = countries
      this.#state = stateIn(view)
      this.#wallets = await openWallets(this.#walletSession(view), this.#base)
      this.#wallets.drawB(this.#button)
      this.#form.bind(view)
      this.onFormReady()
      if (takeNews()) this.handleError(amountChanged(this.#language))
      await this.#resume(view)
    } catch (error) {
      this.#reportFailure(error)
    }
  }

  getBillingAddress(): BillingAddress {
    return billingAddressIn(this.#view ?? { billing_address: {} })
  }

  getOrderInfo(): OrderInfo {
    return this.#view ? orderIn(this.#view) : { number: '', amount: '', currency: '', description: '' }
  }

  getCustomerInfo(): CustomerInfo {
    return customerIn(this.#view ?? { customer: {} })
  }

  getCustomData(): unknown {
    return this.#customData
  }

  getSessionExpiry(): number {
    return this.#view ? expiryIn(this.#view) : 0
  }

  getSessionState(): PayState {
    return this.#state
  }

  getDeclinesMax(): number {
    return this.#view?.declines.max ?? 0
  }

  getCancelUrl(): string {
    return this.#view?.cancel_url ?? ''
  }

  getCardTokens(): readonly CardToken[] {
    return this.#view ? cardTokensIn(this.#view) : []
  }

  setCardToken(token: string): void {
    this.#form.cardToken = token
  }

  getActiveCardToken(): string {
    return this.#form.cardToken
  }

  clearCardToken(): void {
    this.#form.cardToken = ''
  }

  getAvailableBrands(): readonly WalletCode[] {
    return this.#wallets?.available ?? []
  }

  getCountries(): readonly Country[] {
    return this.#countries
  }

  /** Opens the sheet of wallet A. Must be called in a click handler. */
  beginWallet(wallet: 'walletapay'): void {
    if (this.#paying) return
    try {
      const opened = wallet === 'walletapay' && (this.#wallets?.openA() ?? false)
      if (!opened) this.handleError(unsupportedError('The wallet cannot be used in this browser.'))
    } catch (error) {
      this.#reportFailure(error)
    }
  }

  /** The style of wallet B's button; omitted options keep their default. */
  setWalletButton(wallet: 'walletbpay', options: WalletButtonOptions): void {
    if (wallet !== 'walletbpay') return
    this.#button = options
    this.#wallets?.drawB(options)
  }

  /** The name that existing forms use. */
  beginApplePay(): void {
    this.beginWallet('walletapay')
  }

  setGooglePayButtonConfiguration(options: WalletButtonOptions): void {
    this.setWalletButton('walletbpay', options)
  }

  #handleSubmit(): void {
    if (this.#base !== '' && new URL(this.#base).origin !== location.origin) {
      this.handleError(unsupportedError('Cards can be entered only in forms that are hosted by the service.'))
      return
    }
    const drawn = this.#drawn
    const part = drawn && !this.#paying && this.#form.read(this.#view ?? drawn)
    if (part) void this.#pay('card', part, drawn)
  }

  #walletSession(begun: SessionView): WalletSession {
    const latest = (): SessionView => this.#view ?? begun
    return {
      get view() {
        return latest()
      },
      closeWhenSessionChanges: async (closed, close) => {
        if (!(await waitForSessionChange(latest(), (known, signal) => this.#client.now(known, signal), closed))) return
        close()
        await this.#readAgain(orderChanged).catch((error: unknown) => this.#reportFailure(error))
      },
      requestMerchantSession: (validationUrl) => this.#client.walletSession('walletapay', validationUrl),
      pay: (wallet, token, shown) => this.#pay(wallet, { ...this.#form.payer(), wallet_token: token }, shown),
      reportFailure: (error) => this.#reportFailure(error),
    }
  }

  /** The session no longer matches what was shown. If it can still be paid, the payer confirms again, as after a refused token. */
  async #readAgain(says: ErrorEvent): Promise<void> {
    const { view } = await this.#client.session()
    this.#view = view
    this.#state = stateIn(view)
    if (view.state === 'ready' || (view.state === 'declined' && says !== orderChanged)) this.handleError(says)
    else await this.#resume(view)
  }

  /** True if the attempt was neither refused nor declined. `shown` is the session whose amount the payer saw. */
  async #pay(method: string, part: OrderEntry, shown: SessionView): Promise<boolean> {
    this.#paying = true
    const id = this.#unanswered ?? randomUuid()
    this.#unanswered = id
    try {
      const answer = await sendAttempt(this.#client, {
        attempt_id: id,
        method,
        ...part,
        shown: shownAmount(shown),
        browser_info: browserInfo(),
        terms: false,
        consent: false,
        language: this.#view?.language ?? 'en',
      })
      this.#unanswered = null
      this.#arrive(answer)
      return answer.result !== 'decline'
    } catch (error) {
      if (!(error instanceof CallFailed && error.unanswered)) this.#unanswered = null
      await this.#reportRefusal(error).catch((failure: unknown) => this.#reportFailure(failure))
      return false
    } finally {
      this.#form.forgetCard()
      this.#paying = false
    }
  }

  #arrive({ result, redirect, decline_message, declines_left }: PaymentAnswer): void {
    switch (result) {
      case 'success':
        this.#state = 'complete'
        this.onSuccess({ successUrl: redirect?.url ?? '' })
        return
      case 'decline':
        this.#state = 'decline'
        this.onDecline({ message: decline_message ?? '' })
        if (declines_left === 0 && redirect) depart(redirect, this.#language, this.#form.element)
        return
      case 'redirect':
        this.#state = 'redirect'
        if (redirect) depart(redirect, this.#language, this.#form.element)
        return void this.#follow()
      case 'waiting':
      case 'undefined':
        this.#state = 'waiting'
        if (result === 'undefined')
          this.onUndefined({ message: decline_message ?? textsIn(this.#language).resultUnknown })
        return void this.#follow()
    }
  }

  get #language(): string {
    return this.#view?.language ?? 'en'
  }

  async #follow(): Promise<void> {
    const answer = await awaitOutcome(this.#client, () => this.#state === 'redirect' || this.#state === 'waiting')
    if (answer) this.#arrive(answer)
  }

  /** Reports what happened to the session before this page was opened. */
  async #resume(view: SessionView): Promise<void> {
    const { state, redirect } = view
    if (state === 'expired' && redirect) return depart(redirect, this.#language, this.#form.element)
    const answer = answerInView(view)
    if (answer) this.#arrive(answer)
  }

  /** A form of the service is drawn again for a new amount, which its template may have; another page draws itself. */
  async #reportRefusal(error: unknown): Promise<void> {
    if (!(error instanceof CallFailed && saysOtherAmount(error.message))) this.#reportFailure(error)
    else if (this.#base === '') reloadWithNews()
    else await this.#readAgain(amountChanged(this.#language))
  }

  #reportFailure(error: unknown): void {
    const { code, errors } = error instanceof CallFailed ? error : { code: 0, errors: [] }
    this.handleError({ code, message: error instanceof Error ? error.message : String(error), errors })
  }
}
