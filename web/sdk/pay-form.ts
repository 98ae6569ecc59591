/** The merchant's form: read on submit, validated while typing, cleared of card data after each attempt. */
import type { PaymentBody, SessionView } from '../checkout/page-api.ts'
import { type InputId, inputIds, inputOf, isValidInput, paymentPart, type Rules, readInputs } from './form-inputs.ts'
import type { InputValidationEvent } from './pay-session-types.ts'

interface PayFormParts {
  readonly validateOnInput: boolean
  readonly report: (event: InputValidationEvent) => void
  readonly reportSubmitted: () => void
}

type Part = ReturnType<typeof paymentPart>

export class PayForm {
  /** Empty if the payer types the card. */
  cardToken = ''

  readonly #name: string
  readonly #parts: PayFormParts
  #bound: HTMLFormElement | null = null

  constructor(name: string, parts: PayFormParts) {
    this.#name = name
    this.#parts = parts
  }

  /** Null if the page has no such form. */
  get element(): HTMLFormElement | null {
    const form = document.forms.namedItem(this.#name)
    return form instanceof HTMLFormElement ? form : null
  }

  bind(view: SessionView): void {
    const form = this.element
    if (form === null || form === this.#bound) return
    this.#bound = form
    // The browser's validation is switched off: the SDK reports to the form, which shows faults in its own way.
    form.noValidate = true
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      this.#parts.reportSubmitted()
    })
    addEventListener('pagehide', () => this.forgetCard())
    if (!this.#parts.validateOnInput) return
    for (const id of inputIds)
      inputOf(form, id)?.addEventListener('input', () => this.#check(form, [id], this.#rules(view, false)))
  }

  /** The input if all of it is valid; otherwise null, and the first invalid field gets the focus. */
  read(view: SessionView): Part | null {
    const form = this.element
    if (form === null) return null
    const [wrong] = this.#check(form, inputIds, this.#rules(view, true))
    if (wrong === undefined) return paymentPart(readInputs(form), this.cardToken)
    inputOf(form, wrong)?.focus()
    return null
  }

  /** The payer's data for a wallet payment: only what the form asks for anyway. */
  payer(): Pick<PaymentBody, 'customer' | 'billing_address'> {
    const form = this.element
    const { customer, billing_address } = paymentPart(form ? readInputs(form) : {}, '')
    return { customer, billing_address }
  }

  forgetCard(): void {
    const form = this.element
    for (const id of ['payer_card', 'payer_cvv', 'payer_expiryDate'] as const) {
      const input = form && inputOf(form, id)
      if (input) input.value = ''
    }
  }

  /** Reports the validity of every input and returns the invalid ones. A missing input counts only if it is required. */
  #check(form: HTMLFormElement, ids: readonly InputId[], rules: Rules): readonly InputId[] {
    const typed = readInputs(form)
    return ids.filter((id) => {
      const right = isValidInput(id, typed, rules)
      const isThere = inputOf(form, id) !== null
      if (isThere || !right) this.#parts.report({ result: right ? 'success' : 'error', inputId: id })
      return !right
    })
  }

  #rules(view: SessionView, atPay: boolean): Rules {
    const saved = view.card_tokens.find(({ token }) => token === this.cardToken)
    return {
      method: view.methods.find(({ kind }) => kind === 'card') ?? null,
      savedCard: saved ? { asksCode: saved.asks.includes('cvv'), brand: saved.brand } : null,
      moto: view.moto,
      today: view.server_time.slice(0, 10),
      atPay,
    }
  }
}
