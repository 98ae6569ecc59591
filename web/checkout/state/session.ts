/** The state of the page: the session from the server, the phase, and the payer's choices and input. In memory only. */
import { computed, signal } from '@preact/signals'
import { networkOf } from '#domain/card.ts'
import { digitsOf } from '../../kit/card-number.ts'
import { amountText } from '../../kit/texts-of-values.ts'
import { askedFields, type Choice } from '../fields/asked-fields.ts'
import type { CountryView, FieldView, MethodView, SavedCardView, SessionView, WaitingFor } from '../page-api.ts'
import type { Phase } from './phase.ts'
import { language, leftToRight, type TextKey } from './texts.ts'

export const session = signal<SessionView | null>(null)
export const phase = signal<Phase>({ at: 'loading' })
/** What the payer has to do elsewhere, as far as the server has said. */
export const waitingFor = signal<WaitingFor | null>(null)
export const countries = signal<readonly CountryView[]>([])

/** The code of the chosen method. */
export const chosenMethod = signal<string | null>(null)
/** The token of the chosen saved card; null means another card. */
export const chosenCard = signal<string | null>(null)
export const values = signal<Readonly<Record<string, string>>>({})
export const complaints = signal<Readonly<Record<string, TextKey>>>({})
export const termsAccepted = signal(false)
export const consentGiven = signal(false)
/** The wallets that browser and device support; null until that is known. */
export const readyWallets = signal<readonly string[] | null>(null)

/** All methods except wallets, which have their own buttons. */
export const listedMethods = computed(() => session.value?.methods.filter(({ kind }) => kind !== 'wallet') ?? [])
export const walletMethods = computed(
  () =>
    session.value?.methods.filter(({ kind, code }) => kind === 'wallet' && readyWallets.value?.includes(code)) ?? [],
)

export const method = computed<MethodView | null>(() => {
  const all = listedMethods.value
  return all.find(({ code }) => code === chosenMethod.value) ?? null
})

export const savedCard = computed<SavedCardView | null>(() => {
  if (method.value?.kind !== 'card') return null
  return session.value?.card_tokens.find(({ token }) => token === chosenCard.value) ?? null
})

export const country = computed(
  () => values.value['billing_address.country'] ?? session.value?.billing_address['country']?.toUpperCase() ?? '',
)

const choice = computed<Choice | null>(() =>
  method.value ? { method: method.value, savedCard: savedCard.value, country: country.value } : null,
)

export const shownFields = computed<readonly FieldView[]>(() => (choice.value ? askedFields(choice.value) : []))

/** The network of the chosen or typed card. */
export const network = computed<string | null>(
  () => savedCard.value?.brand ?? networkOf(digitsOf(values.value['card.number'] ?? '')) ?? null,
)

/** Null while the payer may still choose the amount. */
export const payable = computed<string | null>(() => {
  const current = session.value
  if (!current || current.total === null || shownFields.value.some(({ name }) => name === 'amount')) return null
  return leftToRight(amountText(current.total, current.order.currency, language.value.tag))
})

/** The required checkbox that is not ticked yet. Chapter 30 §7.4, §7.5. */
export const missingTick = computed<'terms' | 'consent' | null>(() => {
  const current = session.value
  if (method.value?.terms && current?.terms && !termsAccepted.value) return 'terms'
  return current?.consent && isZero(current.order.amount) && !consentGiven.value ? 'consent' : null
})

export const isZero = (amount: string | null): boolean => amount !== null && /^0(?:\.0+)?$/.test(amount)

export function enter(name: string, text: string): void {
  values.value = { ...values.value, [name]: text }
}

export function complain(name: string, text: TextKey | null): void {
  const { [name]: _, ...others } = complaints.value
  complaints.value = text === null ? others : { ...others, [name]: text }
}

const cardInputs = ['card.number', 'card.expiry', 'card.cvv', 'payee_card.number']

/** On leaving, and after each attempt unless the same card may be tried again, no card data stays in the page. Chapter 30 §7.9. */
export const forgetCard = (): void => forget(cardInputs)

/** The code is never kept after an attempt. */
export const forgetCode = (): void => forget(['card.cvv'])

function forget(inputs: readonly string[]): void {
  values.value = Object.fromEntries(Object.entries(values.value).filter(([name]) => !inputs.includes(name)))
}

/** On leaving, no data of the payer stays in the page. */
export function forgetAll(): void {
  values.value = {}
  complaints.value = {}
  termsAccepted.value = false
  consentGiven.value = false
}
